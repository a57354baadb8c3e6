import * as z from 'zod';
import { PactError } from '../core/errors.ts';
import { RUNNERS } from '../core/runners.ts';

/** A server as `mcp.json` or the command line names it. */
export type ServerConfig =
  | {
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | null;
    }
  | { readonly name: string; readonly url: string; readonly headers: Readonly<Record<string, string>> };

const strings = z.record(z.string(), z.string());
/** Loose: hosts put members of their own beside these. */
const entrySchema = z.union([
  z.looseObject({
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: strings.default({}),
    cwd: z.string().min(1).nullish(),
  }),
  z.looseObject({ url: z.string().min(1), headers: strings.default({}) }),
]);
const fileSchema = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) });

/** Names stand in tool names before `__`, so they hold none and do not end in a part of one. */
const NAME = /^(?!.*__)[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9.-])?$/;

/** Throws a PactError unless a name can be a server's. */
export function assertServerName(name: string): void {
  if (NAME.test(name)) return;
  throw new PactError(
    'INVALID_INPUT',
    `${JSON.stringify(name.slice(0, 80))} cannot be the name of an MCP server`,
    'Use up to 64 letters, digits, ".", "_" and "-", begin with a letter or digit, without "__" and without "_" at the end.',
  );
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Puts in `${NAME}` and `${NAME:-default}`, as hosts do in their own files. A variable that is not set is an error. */
function expand(text: string, variables: Variables, where: string): string {
  return text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_all, name: string, other?: string) => {
      const value = variables[name] ?? other;
      if (value !== undefined) return value;
      throw new PactError(
        'INVALID_INPUT',
        `${where} needs the environment variable ${name}, which is not set`,
        `Set it, or give a default: \${${name}:-value}.`,
      );
    },
  );
}

function expandAll(values: Readonly<Record<string, string>>, variables: Variables, where: string) {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, expand(value, variables, where)]),
  );
}

function wrong(file: string, what: string): PactError {
  return new PactError(
    'PARSE_ERROR',
    what,
    'Expected {"mcpServers": {"NAME": {"command": "…", "args": […]}}} or {"url": "https://…"} for each.',
    { file },
  );
}

/** An address of a server that can be asked. Throws a PactError when it is none. */
export function checkedUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new PactError(
    'INVALID_INPUT',
    `${text} is no http or https address`,
    'Give the MCP endpoint of the server.',
  );
}

/** Reads the servers of an `mcp.json`. Throws a PactError that names file and server. */
export function parseServers(text: string, file: string, variables: Variables): ServerConfig[] {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw wrong(file, `it is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
  const parsed = fileSchema.safeParse(raw);
  if (!parsed.success) throw wrong(file, 'it has no mcpServers');
  const servers = Object.entries(parsed.data.mcpServers).map(([name, value]): ServerConfig => {
    assertServerName(name);
    const where = `server ${name}`;
    const entry = entrySchema.safeParse(value);
    if (!entry.success) throw wrong(file, `${where} has neither a command nor a url that can be used`);
    if ('url' in entry.data) {
      const { url, headers } = entry.data as { url: string; headers: Record<string, string> };
      const address = checkedUrl(expand(url, variables, where));
      return { name, url: address, headers: expandAll(headers, variables, where) };
    }
    const { command, args, env, cwd } = entry.data;
    return {
      name,
      command: expand(command, variables, where),
      args: args.map((arg) => expand(arg, variables, where)),
      env: expandAll(env, variables, where),
      cwd: cwd == null ? null : expand(cwd, variables, where),
    };
  });
  if (servers.length === 0) throw wrong(file, 'it names no server');
  return servers;
}

/** Programs that run a server which their arguments name. */
const STARTERS = new Set([...RUNNERS, 'uvx', 'uv', 'python', 'python3', 'docker', 'env']);
const VERBS = new Set(['run', 'exec', 'dlx', 'x', 'tool', 'start']);

/** Names that many packages give their program and its folder. */
const COMMON = /^(?:index|main|cli|server|app)\.\w+$|^(?:dist|build|src|lib|bin|out)$/;

function nameFrom(text: string): string {
  const parts = text.split('/').filter((part) => part !== '');
  const word = parts.findLast((part) => !COMMON.test(part)) ?? parts.at(-1) ?? '';
  return word
    .replace(/(?<=.)@.*$/, '')
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 64);
}

/** A name for a server that was given none: the package or program that its command line runs. */
export function serverNameOf(command: string, args: readonly string[]): string {
  const isRunner = STARTERS.has(command.split('/').at(-1) ?? '');
  const inner = isRunner ? args.find((arg) => !arg.startsWith('-') && !VERBS.has(arg)) : undefined;
  return nameFrom(inner ?? command) || 'server';
}

/** A name for a server behind an address: its host. */
export function hostNameOf(url: string): string {
  return nameFrom(new URL(url).hostname) || 'server';
}

/** A server's command line or address, for humans. Headers and variables may be secret and are left out. */
export function sourceOf(config: ServerConfig): string {
  return 'url' in config ? config.url : [config.command, ...config.args].join(' ');
}
