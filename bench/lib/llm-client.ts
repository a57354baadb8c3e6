import { Pool } from 'undici';

/** What a client asks for, and what the provider is to answer. */
export interface Request {
  readonly body: Buffer;
  readonly answer: 'streamed' | 'whole' | 'select' | 'call';
  /** Id and file of the call that the provider is to make. */
  readonly call?: { readonly id: string; readonly file: string };
}

const TOOLS = ['Read', 'Write', 'Bash'].map((name) => ({
  name,
  description: 'A tool of the client. '.repeat(name === 'Bash' ? 10 : 2),
  input_schema: { type: 'object', properties: {} },
}));
const OPENING = { role: 'user', content: 'Begin.' };
const CODE = 'export function f(a: string, b: number): string {\n  return a + " is " + b;\n}\n\n'.repeat(25);

function bodyOf(request: object, stream: boolean): Buffer {
  return Buffer.from(
    JSON.stringify({
      model: 'model-x',
      max_tokens: 100,
      stream,
      system: 'You are an agent that works in a repository. '.repeat(4),
      ...request,
    }),
  );
}

/** A call of the agent's and its result, as the conversation has them. */
function exchange(id: string, file: string, text: string): object[] {
  return [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I read the next file.' },
        { type: 'tool_use', id, name: 'Read', input: { file_path: file } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
  ];
}

/** A request that asks for no tool: a title, a summary. */
export function sideRequest(): Request {
  const messages = [{ role: 'user', content: `Say something short. ${CODE.slice(0, 1_000)}` }];
  return { body: bodyOf({ messages }, true), answer: 'streamed' };
}

/** The first request of a conversation: the model is to shake hands. */
export function firstRequest(): Request {
  return { body: bodyOf({ tools: TOOLS, messages: [OPENING] }, true), answer: 'select' };
}

/** A request in the middle of an agent's work, of about so many bytes: tools are offered, a result has come back. */
export function workRequest(bytes: number, stream: boolean): Request {
  const messages: object[] = [OPENING];
  const sizeNow = () => bodyOf({ tools: TOOLS, messages }, stream).length;
  const perTurn = JSON.stringify(exchange('old_0000', 'src/app/part01/a0000.ts', CODE)).length;
  const turns = Math.floor((bytes - sizeNow()) / perTurn);
  for (let at = 0; at < turns; at += 1)
    messages.push(...exchange(`old_${at}`, `src/app/part01/a${at}.ts`, CODE));
  messages.push(
    ...exchange('old_last', 'src/app/part01/last.ts', CODE.slice(0, Math.max(10, bytes - sizeNow() - 250))),
  );
  return { body: bodyOf({ tools: TOOLS, messages }, stream), answer: stream ? 'streamed' : 'whole' };
}

/** The two requests of one tool call: the one that the model answers with the call, and the one that brings its result. */
export function callRequests(base: Request, id: string, file: string): readonly [Request, Request] {
  const asked = JSON.parse(base.body.toString()) as { messages: object[] };
  const after = { ...asked, messages: [...asked.messages, ...exchange(id, file, 'The text of a file.')] };
  return [
    { body: base.body, answer: 'call', call: { id, file } },
    { body: Buffer.from(JSON.stringify(after)), answer: 'streamed' },
  ];
}

/** Sends a request; resolves with the milliseconds to the first byte once the whole answer is there. */
export async function ask(pool: Pool, { body, answer, call }: Request, session: string): Promise<number> {
  const begun = performance.now();
  const reply = await pool.request({
    path: '/v1/messages',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'k',
      'x-pactclaw-session': session,
      'x-bench-answer': answer,
      ...(call ? { 'x-bench-call': call.id, 'x-bench-file': call.file } : {}),
    },
    body,
  });
  let first = 0;
  let text = '';
  for await (const chunk of reply.body) {
    if (first === 0) first = performance.now() - begun;
    text += String(chunk);
  }
  const end = answer === 'whole' ? 'stop_reason' : call ? call.id : 'message_stop';
  if (reply.statusCode !== 200 || !text.includes(end))
    throw new Error(`${answer}: ${reply.statusCode}: ${text.slice(0, 1_000)}`);
  return first;
}

/** A pool of so many connections, one request on each at a time. */
export function connect(url: string, connections = 1): Pool {
  return new Pool(url, { connections });
}
