/**
 * The other ends of the LLM proxy's benchmark, each a process of its own: `llm-child.ts upstream` is a provider that
 * streams a short answer at once, `llm-child.ts pass URL` hands everything on with the HTTP library of the proxy and
 * governs nothing. Prints its port.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Agent } from 'undici';
import { anthropicEvents } from '../../fixtures/llm/answers.ts';

const [mode = '', target = ''] = process.argv.slice(2);
const text = 'A short answer of a model, in a few deltas, as it would come. '.repeat(4);
const answer = anthropicEvents({ text, input: 1, output: 1 });
const select = anthropicEvents({
  calls: [{ id: 'call_select', name: 'select_active_intent', args: { intent_id: 'INT-001' } }],
});

/** A provider: the handshake where it is asked to begin, else the short answer. */
function upstream(request: http.IncomingMessage, response: http.ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('latin1');
    const begins = body.includes('Begin.') && !body.includes('"tool_result"');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of begins ? select : answer) response.write(event);
    response.end();
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
