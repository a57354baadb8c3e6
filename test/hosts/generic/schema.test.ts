import fs from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerSchema, parseMessage } from '../../../src/hosts/generic/contract.ts';
import { contractSchemas } from '../../../src/hosts/generic/json-schema.ts';
import { runs } from '../../support/runs.ts';

const ajv = new Ajv2020({ strict: true, strictRequired: false });
const schemas = contractSchemas();
const isMessage = ajv.compile(schemas['hook-message.schema.json'] as object);
const isAnswer = ajv.compile(schemas['hook-answer.schema.json'] as object);

const isTaken = (value: unknown) => 'message' in parseMessage(value);

test.each(Object.keys(schemas))('%s is what the contract says: npm run schemas', (name) => {
  const file = new URL(`../../../schema/${name}`, import.meta.url);
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual(schemas[name]);
});

/** Values that are nearly right, so that every rule of the contract is met from both sides. */
const nearly = (...good: unknown[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...good) }, fc.jsonValue({ maxDepth: 2 }));
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'x'.repeat(64), '😀'.repeat(64)) },
  fc.constantFrom('', 'x'.repeat(65), 'x'.repeat(257), '😀'.repeat(200), '\ud800', 'a\nb'),
  fc.string({ unit: 'binary' }),
);
const call = fc.record(
  {
    id: name,
    tool: name,
    kind: nearly('read', 'write', 'delete', 'move', 'execute', 'network', 'control', 'other'),
    mutating: nearly(true, false),
    targets: nearly([], [{ path: 'a', role: 'write' }], [{ path: '', role: 'read' }], [{ path: 'a' }]),
    command: nearly('ls', ''),
    background: nearly(true),
    args: nearly({}, { a: [1, { b: null }] }),
    rationale: nearly('why'),
    agent_id: name,
    extra: nearly(1),
  },
  { requiredKeys: ['tool'] },
);
const message = fc.record(
  {
    contract: nearly('pactclaw.hook/1'),
    event: nearly('session_start', 'user_prompt', 'pre_tool_use', 'post_tool_use', 'pre_compact', 'stop'),
    session_id: name,
    cwd: nearly('/', '/ws', 'ws', ''),
    host: name,
    by_human: nearly(true, false),
    call: fc.oneof({ weight: 9, arbitrary: call }, fc.jsonValue({ maxDepth: 1 })),
    ok: nearly(true),
    result: fc.jsonValue({ maxDepth: 2 }),
    usage: nearly({}, { turns: 1, tokens: 2, model: 'm' }, { turns: -1 }, { tokens: 1.5 }, { model: null }),
    more: nearly('x'),
  },
  { requiredKeys: ['contract', 'event', 'session_id', 'cwd'] },
);
/** Most messages leave out what they need not carry, so that many are right. */
const pruned = fc
  .tuple(message, fc.uniqueArray(fc.constantFrom('extra', 'more', 'host', 'call', 'usage'), { minLength: 2 }))
  .map(([value, left]) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => !left.some((one) => one === key))),
  );

describe('the schema and the decoder take the same messages', () => {
  test('nearly right ones', () => {
    let [taken, refused] = [0, 0];
    fc.assert(
      fc.property(fc.oneof(message, pruned), (value) => {
        const good = isTaken(value);
        if (good) taken += 1;
        else refused += 1;
        expect(isMessage(value)).toBe(good);
      }),
      { numRuns: runs(4_000) },
    );
    expect(Math.min(taken, refused)).toBeGreaterThan(50);
  });

  test('anything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isMessage(value)).toBe(isTaken(value));
      }),
    );
  });
});

test('the schema of answers takes what zod takes', () => {
  const answer = {
    contract: 'pactclaw.hook/1',
    verdict: 'allow',
    reason: null,
    rule: null,
    hook: null,
    receipt: 'r',
    context: null,
    alarm: null,
    handshake: { intent: { id: 'INT-001' } },
  };
  for (const value of [answer, { ...answer, verdict: 'ask' }, { ...answer, more: 1 }, { contract: 'x' }])
    expect(isAnswer(value)).toBe(answerSchema.safeParse(value).success);
  expect(isAnswer(answer)).toBe(true);
});
