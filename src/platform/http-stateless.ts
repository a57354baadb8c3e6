import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, type JsonObject } from '../core/json.ts';
import type { ProtectedServer } from './http-protected.ts';
import { HttpStatelessWire } from './http-stateless-wire.ts';
import type { Wire } from './wire.ts';

/** The first version whose requests stand alone; versions are dates. */
const STATELESS_FROM = '2026-07-28';
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CLIENT = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const MISMATCH = -32020;
const INVALID_PARAMS = -32602;

function metaOf(body: JsonObject): JsonObject {
  const { params } = body;
  return isObject(params) && isObject(params._meta) ? params._meta : {};
}

/** Whether a posted message is one of the stateless protocol: its body or its header says so. */
export function isStateless(request: IncomingMessage, body: unknown): body is JsonObject {
  if (!isObject(body)) return false;
  const header = request.headers['mcp-protocol-version'];
  return metaOf(body)[VERSION] !== undefined || (typeof header === 'string' && header >= STATELESS_FROM);
}

/** Whether a request says of itself what every one must (specification 2026-07-28, Base protocol). */
function hasEnvelope(body: JsonObject): boolean {
  const meta = metaOf(body);
  return typeof meta[VERSION] === 'string' && isObject(meta[CAPABILITIES]);
}

/** A header's value, which is in base64 where it could not stand there as it is. */
function textOf(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [, packed] = /^=\?base64\?(.*)\?=$/.exec(header) ?? [];
  return packed === undefined ? header : Buffer.from(packed, 'base64').toString('utf8');
}

/** Why headers and body contradict each other (specification 2026-07-28, Streamable HTTP); null when they agree. */
function mismatchOf({ headers }: IncomingMessage, body: JsonObject): string | null {
  const { method, params, id } = body;
  const isTask = String(method).startsWith('tasks/');
  const about = isObject(params) ? params : {};
  const named = method === 'resources/read' ? about.uri : isTask ? about.taskId : about.name;
  const isNamed = method === 'tools/call' || method === 'prompts/get' || method === 'resources/read';
  const pairs = [
    ['mcp-protocol-version', metaOf(body)[VERSION], id !== undefined],
    ['mcp-method', method, id !== undefined],
    ['mcp-name', named, isNamed || (isTask && headers['mcp-name'] !== undefined)],
  ] as const;
  const wrong = pairs.find(([name, said, must]) => must && textOf(headers[name]) !== said);
  return wrong ? `the header ${wrong[0]} is not what the body says` : null;
}

/**
 * Clients of the stateless protocol. Nothing in their requests names a session: one is who asks at the same path, by
 * the same name and with the same authorization.
 */
export class StatelessClients {
  readonly #wires = new Map<string, HttpStatelessWire>();

  constructor(
    private readonly most: number,
    private readonly serve: (wire: Wire) => void,
    private readonly behind: ProtectedServer | null,
  ) {}

  /** Takes a message and answers it. Returns an error that there is no client for, or null. */
  take(request: IncomingMessage, response: ServerResponse, body: JsonObject): JsonObject | null {
    const failed = (code: number, message: string) => ({
      jsonrpc: '2.0',
      id: body.id ?? null,
      error: { code, message },
    });
    if (body.id !== undefined && !hasEnvelope(body))
      return failed(INVALID_PARAMS, `_meta must have ${VERSION} and ${CAPABILITIES}`);
    const mismatch = mismatchOf(request, body);
    if (mismatch !== null) return failed(MISMATCH, mismatch);
    const { name, version } = (metaOf(body)[CLIENT] ?? {}) as JsonObject;
    const { authorization = '' } = request.headers;
    const key = createHash('sha256')
      .update(JSON.stringify([request.url, name, version, authorization]))
      .digest('hex');
    let wire = this.#wires.get(key);
    if (!wire) {
      if (this.#wires.size >= this.most) return failed(-32000, `${this.most} clients are served already`);
      const passed = this.behind && authorization !== '' ? authorization : null;
      wire = new HttpStatelessWire(() => this.#wires.delete(key), this.behind, passed);
      this.#wires.set(key, wire);
      this.serve(wire);
    }
    wire.take(body, request, response);
    return null;
  }

  /** Ends clients that have asked nothing since then. */
  async sweep(oldest: number): Promise<void> {
    for (const wire of [...this.#wires.values()]) if (wire.isIdleSince(oldest)) await wire.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#wires.values()].map((wire) => wire.close()));
  }
}
