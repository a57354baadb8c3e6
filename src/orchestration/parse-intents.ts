import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { compileScope } from '../core/breadth.ts';
import { messageOf } from '../core/errors.ts';
import type { Intent } from '../core/intent.ts';
import { ROOT_NAMES } from './intent-fields.ts';
import { type IntentFields, intentSchema, normaliseIntent } from './intent-schema.ts';

/** Something to say about a line of the registry. */
export interface Remark {
  readonly line: number;
  readonly message: string;
}

/** The registry as read. With any problem it is corrupt, and the engine is in fail-safe (H-101, H-104). */
export interface Registry {
  readonly intents: readonly Intent[];
  readonly problems: readonly Remark[];
  readonly warnings: readonly Remark[];
}

const MAX_BYTES = 1 << 20;

/** Parses with limits that a hostile file runs into before it costs anything: size, aliases, duplicate keys. */
export function parseRegistryDocument(text: string, lines: LineCounter) {
  return parseDocument(text, {
    lineCounter: lines,
    keepSourceTokens: true,
    uniqueKeys: true,
    logLevel: 'error',
  });
}

/** The list of intents in a parsed file, whichever of the known roots it has. */
export function rootList(contents: unknown): { list: YAMLSeq | null; warning: string | null } {
  if (isSeq(contents))
    return { list: contents, warning: 'the root should be a map with the key active_intents' };
  if (!isMap(contents)) return { list: null, warning: null };
  for (const name of ROOT_NAMES) {
    const value = contents.get(name, true) as unknown;
    if (isSeq(value))
      return { list: value, warning: name === ROOT_NAMES[0] ? null : `${name} is read as ${ROOT_NAMES[0]}` };
    if (isScalar(value) && value.value === null)
      return { list: { items: [] } as unknown as YAMLSeq, warning: null };
  }
  return { list: null, warning: null };
}

function toIntent(fields: IntentFields, line: number): Intent {
  const { max_turns, max_tokens } = fields.budget;
  return {
    id: fields.id,
    name: fields.name,
    status: fields.status,
    ownedScope: fields.ownedScope,
    constraints: fields.constraints,
    acceptanceCriteria: fields.acceptanceCriteria,
    budget: {
      ...(max_turns === undefined ? {} : { maxTurns: max_turns }),
      ...(max_tokens === undefined ? {} : { maxTokens: max_tokens }),
    },
    ...(fields.blockedReason ? { blockedReason: fields.blockedReason } : {}),
    line,
    scope: compileScope(fields.ownedScope),
  };
}

/** Reads the text of `active_intents.yaml`; never throws, every fault has its line (H-42…H-44, H-104). */
export function parseIntents(bytes: Uint8Array): Registry {
  const problems: Remark[] = [];
  const warnings: Remark[] = [];
  const corrupt = (line: number, message: string): Registry => ({
    intents: [],
    problems: [...problems, { line, message }],
    warnings,
  });
  if (bytes.length > MAX_BYTES) return corrupt(1, `the file is larger than ${MAX_BYTES} bytes`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return corrupt(1, 'the file is not UTF-8');
  }
  const lines = new LineCounter();
  const lineAt = (offset: number | undefined) => lines.linePos(offset ?? 0).line;
  let items: unknown[];
  let nodes: YAMLSeq['items'];
  try {
    const document = parseRegistryDocument(text, lines);
    for (const error of document.errors)
      problems.push({
        line: error.linePos?.[0].line ?? 1,
        message: error.message.split('\n')[0] ?? 'cannot be parsed',
      });
    if (problems.length > 0) return { intents: [], problems, warnings };
    const { list, warning } = rootList(document.contents);
    if (!list) return corrupt(1, 'there is no list active_intents');
    if (warning) warnings.push({ line: 1, message: warning });
    nodes = list.items;
    items = nodes.map((node) => (node as YAMLMap).toJS(document, { maxAliasCount: 100 }));
  } catch (error) {
    return corrupt(1, messageOf(error));
  }
  const intents: Intent[] = [];
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const line = lineAt((nodes[index] as YAMLMap).range?.[0]);
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      problems.push({ line, message: `item ${index + 1} is not a map` });
      continue;
    }
    const { fields, warnings: remarks } = normaliseIntent(item as Record<string, unknown>);
    const parsed = intentSchema.safeParse(fields);
    const label = typeof fields.id === 'string' ? fields.id : `item ${index + 1}`;
    warnings.push(...remarks.map((message) => ({ line, message: `${label}: ${message}` })));
    if (!parsed.success) {
      problems.push(
        ...parsed.error.issues.map((issue) => ({ line, message: `${label}: ${describe(issue)}` })),
      );
      continue;
    }
    const twin = seen.get(parsed.data.id);
    if (twin !== undefined)
      problems.push({ line, message: `duplicate id ${parsed.data.id} (first on line ${twin})` });
    seen.set(parsed.data.id, line);
    intents.push(toIntent(parsed.data, line));
  }
  return problems.length > 0 ? { intents: [], problems, warnings } : { intents, problems, warnings };
}

function describe(issue: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  return issue.message.startsWith('Invalid')
    ? `${issue.path.join('.')} is missing or of the wrong type`
    : issue.message;
}
