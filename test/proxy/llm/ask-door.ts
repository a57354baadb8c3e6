import { decoderOf } from '../../../src/cli/llm/decoder.ts';
import type { IncomingCall, OutgoingReply } from '../../../src/platform/http-server.ts';
import { LlmDoor } from '../../../src/proxy/llm/door.ts';
import type { Governor, LlmSettings } from '../../../src/proxy/llm/ports.ts';

/** An engine that allows everything and is in the middle of the work. */
export const FINE: Governor = {
  userPrompt: async () => ({ context: null, alarm: null }),
  preToolUse: async () => ({
    decision: { verdict: 'allow', refusal: null, refusedBy: null, rulings: [], effects: [] },
    text: null,
    hook: null,
    receiptId: 'r',
  }),
  postToolUse: async () => ({ context: null, alarm: null }),
  beforeCompact: async () => ({ context: null, alarm: null }),
  stop: async () => ({ context: null, alarm: null }),
  standing: async () => ({
    state: 'CONTEXTUALIZED_ACTION',
    intentId: 'INT-001',
    haltReason: null,
    context: 'the scope',
  }),
  handshake: async () => ({ intent: 'INT-001' }),
};

/** What the upstream sends back. */
export interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pieces: readonly (string | Uint8Array | number)[];
}

/** What the upstream was sent. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
}

/** What the client got. */
export interface Got {
  status: number;
  headers: Readonly<Record<string, string | readonly string[]>>;
  text: string;
  /** All that was written, before a cut. */
  bytes: Buffer;
}

/** A door without a network: requests go in, an upstream of the test answers. */
export class TestDoor {
  readonly sent: Sent[] = [];
  readonly notices: string[] = [];
  readonly #door: LlmDoor;

  constructor(
    answer: (sent: Sent, turn: number) => Said,
    {
      governor = {},
      settings = {},
    }: { readonly governor?: Partial<Governor>; readonly settings?: Partial<LlmSettings> } = {},
  ) {
    this.#door = new LlmDoor({
      governor: { ...FINE, ...governor },
      decode: decoderOf('llm'),
      settings: {
        host: 'llm',
        cwd: '/work',
        salt: 'salt',
        providerRuns: () => false,
        passes: () => false,
        hideTools: false,
        requireTools: false,
        contextTokens: null,
        compactAt: 0.8,
        deadlineMs: 50,
        ...settings,
      },
      basePath: '',
      notice: (words, session) => this.notices.push(`${session}: ${words}`),
      send: async ({ method, path, headers, body }) => {
        const sent = { method, path, headers, text: await textOf(body) };
        this.sent.push(sent);
        const { status = 200, headers: own = {}, pieces } = answer(sent, this.sent.length - 1);
        return {
          status,
          headers: own,
          chunks: (async function* () {
            for (const piece of pieces) yield Buffer.from(piece as string);
          })(),
        };
      },
    });
  }

  async ask(
    target: string,
    body: unknown,
    { method = 'POST', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
  ): Promise<Got> {
    const got: Got = { status: 0, headers: {}, text: '', bytes: Buffer.alloc(0) };
    const put = (chunk: string | Uint8Array) => {
      got.text += Buffer.from(chunk as string).toString();
      got.bytes = Buffer.concat([got.bytes, Buffer.from(chunk as string)]);
    };
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? null));
    const call: IncomingCall = {
      method,
      target,
      headers: { host: '127.0.0.1', 'content-length': String(bytes.length), ...headers },
      body: async () => bytes,
      stream: (async function* () {
        yield bytes;
      })(),
    };
    const reply: OutgoingReply = {
      signal: new AbortController().signal,
      get begun() {
        return got.status !== 0;
      },
      head: (status, head) => {
        got.status = status;
        got.headers = head;
      },
      write: async (chunk) => put(chunk),
      end: (last = '') => put(last),
      cut: () => {
        got.text += '(cut)';
      },
      heartbeat: () => {},
      refuse: (status, head, words) => {
        got.status = status;
        got.headers = head;
        got.text += words;
      },
    };
    await this.#door.serve(call, reply);
    return got;
  }
}

async function textOf(body: string | Uint8Array | AsyncIterable<Uint8Array> | null): Promise<string> {
  if (body === null) return '';
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  let text = '';
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  return text;
}
