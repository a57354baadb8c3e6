/**
 * The other ends of the LLM proxy's benchmark, each a process of its own: `llm-child.ts upstream` is a provider that
 * answers at once what the request's headers ask of it, `llm-child.ts pass URL` hands everything on with the HTTP
 * library of the proxy and governs nothing. Prints its address.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Agent } from 'undici';
import { anthropicBody, anthropicEvents, type Spoken } from '../../fixtures/llm/answers.ts';

const [mode = '', target = ''] = process.argv.slice(2);
const short = {
  text: 'A short answer of a model, in a few deltas, as it would come. '.repeat(4),
  input: 1,
  output: 1,
};
const streamed = anthropicEvents(short);
const whole = JSON.stringify(anthropicBody(short));
const SELECT: Spoken = {
  calls: [{ id: 'call_select', name: 'select_active_intent', args: { intent_id: 'INT-001' } }],
};

/** What a request wants to hear: its header says so, as nothing of a body of 500 KB should have to be read here. */
function answerOf(headers: http.IncomingHttpHeaders, body: () => string): readonly string[] | string {
  const { 'x-bench-answer': wanted, 'x-bench-call': call, 'x-bench-file': file } = headers;
  switch (wanted) {
    case 'whole':
      return whole;
    case 'select':
      return body().includes('"tool_result"')
        ? streamed
        : anthropicEvents({ ...SELECT, input: 1, output: 1 });
    case 'call': {
      const asked = { id: String(call), name: 'Read', args: { file_path: String(file) } };
      return anthropicEvents({ text: 'Next file.', calls: [asked], input: 1, output: 1 });
    }
    default:
      return streamed;
  }
}

function upstream(request: http.IncomingMessage, response: http.ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const answer = answerOf(request.headers, () => Buffer.concat(chunks).toString('latin1'));
    const type = typeof answer === 'string' ? 'application/json' : 'text/event-stream';
    response.writeHead(200, { 'content-type': type });
    if (typeof answer === 'string') response.end(answer);
    else {
      for (const event of answer) response.write(event);
      response.end();
    }
  });
}

const agent = new Agent();

/** Hands a request on and its answer back. */
async function pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const {
    host: _,
    connection: __,
    'transfer-encoding': ___,
    'content-length': ____,
    ...headers
  } = request.headers;
  const reply = await agent.request({
    origin: target,
    path: request.url ?? '/',
    method: (request.method ?? 'GET') as 'GET',
    headers: headers as Record<string, string>,
    body: Buffer.concat(chunks),
  });
  const { connection: _c, 'transfer-encoding': _t, ...back } = reply.headers;
  response.writeHead(reply.statusCode, back as http.OutgoingHttpHeaders);
  await pipeline(reply.body, response);
}

const server = http.createServer((request, response) => {
  if (mode === 'upstream') upstream(request, response);
  else void pass(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`,
  );
});
