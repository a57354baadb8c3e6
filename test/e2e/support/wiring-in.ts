interface Servers {
  readonly mcpServers?: Readonly<Record<string, unknown>>;
}

function serversIn(text: string | null): unknown[] {
  if (text === null) return [];
  const { mcpServers = {}, projects = {} } = JSON.parse(text) as Servers & {
    readonly projects?: Readonly<Record<string, Servers>>;
  };
  return [mcpServers, ...Object.values(projects).map((one) => one.mcpServers ?? {})].flatMap(Object.entries);
}

/**
 * Settings as they wire a client. A file of bookkeeping, which the client writes anew at every start, is told by the
 * servers in it alone.
 */
export function wiringIn(settings: Readonly<Record<string, string | null>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([file, text]) => [
      file,
      file.endsWith('/.claude.json') ? serversIn(text) : text,
    ]),
  );
}
