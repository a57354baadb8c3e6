import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';

/** Where an argument of a tool is repeated in a header (specification 2026-07-28, `x-mcp-header`). */
interface Repeated {
  readonly path: readonly string[];
  readonly header: string;
}

/** A value as it can stand in a header: in base64 where it has other characters than ASCII, or blanks around it. */
function packed(value: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?')) return value;
  return `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

function repeatedIn(schema: unknown, path: readonly string[], found: Repeated[]): void {
  if (!isObject(schema) || !isObject(schema.properties)) return;
  for (const [name, one] of Object.entries(schema.properties)) {
    const header = isObject(one) ? one['x-mcp-header'] : undefined;
    if (typeof header === 'string' && /^[A-Za-z0-9-]+$/.test(header))
      found.push({ path: [...path, name], header });
    repeatedIn(one, [...path, name], found);
  }
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inside, name) => (isObject(inside) ? inside[name] : undefined), value);
}

/** The headers that go with a server's requests over HTTP; they repeat what the body says. */
export class StatelessHeaders {
  readonly #repeated = new Map<string, readonly Repeated[]>();

  /** Notes which arguments a server wants to see in headers. */
  note(tools: JsonValue | undefined): void {
    if (!Array.isArray(tools)) return;
    for (const tool of tools) {
      if (!isObject(tool)) continue;
      const found: Repeated[] = [];
      repeatedIn(tool.inputSchema, [], found);
      this.#repeated.set(String(tool.name), found);
    }
  }

  of({ method, params = {} }: JsonObject): Record<string, string> {
    const { name, uri, taskId, arguments: args } = isObject(params) ? params : {};
    const isTask = String(method).startsWith('tasks/');
    const named = method === 'resources/read' ? uri : isTask ? taskId : name;
    const isCall = method === 'tools/call';
    const headers: Record<string, string> = { 'Mcp-Method': packed(String(method)) };
    if (isCall || isTask || method === 'prompts/get' || method === 'resources/read')
      headers['Mcp-Name'] = packed(String(named));
    for (const { path, header } of (isCall ? this.#repeated.get(String(name)) : undefined) ?? []) {
      const value = at(args, path);
      if (value !== undefined && value !== null && typeof value !== 'object')
        headers[`Mcp-Param-${header}`] = packed(String(value));
    }
    return headers;
  }
}
