import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { routeOf } from '../../../src/proxy/llm/routes.ts';

const route = (method: string, target: string) => routeOf(method, target, () => false);
const VERTEX = '/v1/projects/p-1/locations/us-east5/publishers/anthropic/models';
const GOOGLE = VERTEX.replace('anthropic', 'google');

test.each([
  ['/v1/messages', 'anthropic'],
  ['/v1/messages?beta=true', 'anthropic'],
  ['/messages', 'anthropic'],
  ['/anthropic/v1/messages', 'anthropic'],
  ['/api/v1/messages', 'anthropic'],
  [`${VERTEX}/claude-sonnet-4@20250514:rawPredict`, 'anthropic'],
  [`${VERTEX}/claude-sonnet-4@20250514:streamRawPredict`, 'anthropic'],
  [`${VERTEX.slice(3)}/claude-opus-4-1:streamRawPredict`, 'anthropic'],
  ['/v1/publishers/anthropic/models/claude-x:rawPredict', 'anthropic'],
  ['/model/us.anthropic.claude-sonnet-4-20250514-v1:0/invoke', 'bedrock'],
  ['/model/anthropic.claude-x-v1%3A0/invoke-with-response-stream', 'bedrock'],
  [
    '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Aapplication-inference-profile%2Fa1b2/invoke',
    'bedrock',
  ],
  ['/v1beta/models/gemini-2.5-flash:generateContent', 'gemini'],
  ['/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse&key=k', 'gemini'],
  ['/v1alpha/models/gemini-3-pro-preview:streamGenerateContent', 'gemini'],
  ['/v1/models/gemini-2.0-flash-001:generateContent', 'gemini'],
  ['/v1beta/tunedModels/mine-1:generateContent', 'gemini'],
  ['/google-ai-studio/v1beta/models/gemini-x:generateContent', 'gemini'],
  [`${GOOGLE}/gemini-2.5-pro:generateContent`, 'gemini'],
  [`${GOOGLE}/gemini-2.5-pro@001:streamGenerateContent?alt=sse`, 'gemini'],
  ['/v1beta1/publishers/google/models/gemini-x:streamGenerateContent', 'gemini'],
  ['/chat/completions', 'chat'],
  ['/v1/chat/completions', 'chat'],
  ['/api/paas/v4/chat/completions', 'chat'],
  ['/openai/deployments/gpt-4.1/chat/completions?api-version=2024-10-21', 'chat'],
  ['/openai/v1/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/v1/responses', 'responses'],
  ['/openai/v1/responses', 'responses'],
  ['/openai/responses?api-version=2025-04-01-preview', 'responses'],
])('F-5: POST %s is governed as %s', (target, protocol) => {
  expect(route('POST', target)).toMatchObject({ kind: 'governed', protocol });
});

test('F-5: a path that names the model tells it', () => {
  expect(route('POST', '/openai/deployments/gpt-4o/chat/completions')).toMatchObject({ model: 'gpt-4o' });
  expect(route('POST', `${VERTEX}/claude-x@1:rawPredict`)).toMatchObject({ model: 'claude-x@1' });
  expect(route('POST', '/v1beta/models/gemini-x:generateContent')).toMatchObject({ model: 'gemini-x' });
  expect(route('POST', '/v1/chat/completions')).toMatchObject({ model: null });
});

test.each([
  ['POST', '/v1/messages/count_tokens?beta=true'],
  ['POST', `${VERTEX}/count-tokens:rawPredict`],
  ['POST', '/model/anthropic.claude-x-v1:0/count-tokens'],
  ['POST', '/v1/responses/input_tokens'],
  ['POST', '/v1beta/models/gemini-x:countTokens?key=k'],
  ['POST', `${GOOGLE}/gemini-x:countTokens`],
  ['POST', '/v1beta/models/embed-1:embedContent'],
  ['POST', '/v1beta/models/embed-1:batchEmbedContents'],
  ['POST', '/v1/responses/compact'],
  ['POST', '/v1/embeddings'],
  ['POST', '/openai/deployments/embed/embeddings?api-version=1'],
  ['POST', '/v1/audio/transcriptions'],
  ['POST', '/v1/files'],
  ['GET', '/v1/files/file_1'],
  ['DELETE', '/v1/responses/resp_1'],
  ['GET', '/v1/models'],
  ['GET', '/models?limit=1'],
  ['GET', '/v1/models/claude-sonnet-4@20250514'],
  ['GET', '/v1/models/meta%2FLlama-3.1'],
  ['GET', '/openai/v1/models'],
  ['GET', '/v1beta/models'],
  ['GET', '/api/tags'],
  ['HEAD', '/'],
])('F-5: %s %s is passed on: no call comes out of it', (method, target) => {
  expect(route(method, target)).toEqual({ kind: 'passed' });
});

test.each([
  '/v1beta/interactions',
  '/v2/chat',
  '/v1/conversations',
  '/v1/conversations/c/items',
  '/api/v1/chat',
  '/api/chat',
  '/api/generate',
  '/generate',
  '/v1/completions',
  '/v1/messages/batches',
  '/v1/threads/t/messages',
  '/threads/t/messages',
  '/v1/threads/t/runs',
  '/v1/assistants',
  '/v1/responses/resp_1/cancel',
  '/v1beta/models/gemini-x:unknownVerb',
  '/v1beta/models/gemini-x:batchGenerateContent',
  '/v1beta/models/gemini-x:generateAnswer',
  '/v1beta/models/gemini-x:generateContent:countTokens',
  '/v1beta/models/a/b:generateContent',
  '/v1beta/models/..:generateContent',
  '/v1beta/cachedContents',
  '/v1beta/models:generateContent',
  `${GOOGLE}/gemini-x:predict`,
  `${GOOGLE}/gemini-x:rawPredict`,
  `${VERTEX}/claude-x:generateContent`,
  `${VERTEX.replace('anthropic', 'mistralai')}/m:rawPredict`,
  `${VERTEX}/claude-x:predict`,
  `${VERTEX}/claude-x:rawPredict:streamRawPredict`,
  '/openai/deployments/a/b/chat/completions/x',
  '/model/anthropic.claude-x/converse',
  '/model/anthropic.claude-x/converse-stream',
  '/model/anthropic.claude-x/async-invoke',
  '/model/anthropic.claude-x/invoke-with-bidirectional-stream',
  '/model/a%2F..%2Fb/invoke',
  '/model/../invoke',
  '*',
  'http://other.example/v1/messages',
])('F-5: POST %s is not known and refused', (target) => {
  expect(route('POST', target)).toMatchObject({ kind: 'refused' });
});

test.each([
  ['/v1/messages;x=1', '/v1/messages'],
  ['/v1/chat/completions.json', '/v1/chat/completions'],
  ['//v1/messages', '/v1/messages'],
  ['/v1//messages', '/v1/messages'],
  ['/v1/messages/', '/v1/messages'],
  ['/v1/Messages', '/v1/messages'],
  ['/v1/%6dessages', '/v1/messages'],
  ['/v1/chat%2Fcompletions', '/v1/chat/completions'],
  ['/v1beta/models/gemini-x%3AgenerateContent', '/v1beta/models/gemini-x:generateContent'],
  ['//v1beta/models/gemini-x:generateContent', '/v1beta/models/gemini-x:generateContent'],
])('F-5: POST %s is no spelling that counts, and %s is advised', (target, known) => {
  expect(route('POST', target)).toEqual({ kind: 'refused', known });
});

test.each([
  '/v1/responses/resp_1',
  '/v1/responses/resp_1/input_items',
  '/v1/chat/completions/c_1',
  '/v1/conversations/c_1/items',
  '/v1/files/f/content',
  '/v1/models/../responses/resp_1',
  '/v1/models/..%2Fresponses',
  '/v1/models/%2e%2e/responses',
  '/v1/models/a%2F..',
  '/v1/messages',
])('F-5: GET %s could bring a stored answer and is refused', (target) => {
  expect(route('GET', target)).toMatchObject({ kind: 'refused' });
});

describe('what the human lets by', () => {
  const passes = (path: string) => path === '/api/chat' || path === '/v1/messages';

  test('F-5: passes, and nothing else', () => {
    expect(routeOf('POST', '/api/chat?x', passes)).toEqual({ kind: 'passed' });
    expect(routeOf('POST', '/api/chat/x', passes)).toMatchObject({ kind: 'refused' });
  });

  test('F-5: what is governed stays governed', () => {
    expect(routeOf('POST', '/v1/messages', passes)).toMatchObject({ kind: 'governed' });
  });
});

test('F-5: no path with a character that may be read in two ways is known', () => {
  const part = fc.constantFrom('/v1', '/messages', '/chat', '/completions', '/responses', 'a', '/', '.');
  const odd = fc.constantFrom(';', '\\', '%2e', '%2f', '%00', '//', '/./', '/../', '#', ' ', '%25', '|');
  fc.assert(
    fc.property(fc.array(part), odd, fc.array(part), (before, between, after) => {
      const path = [...before, between, ...after].join('');
      expect(route('POST', path).kind).toBe('refused');
    }),
  );
});
