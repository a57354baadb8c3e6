import { isSeq, LineCounter } from 'yaml';
import { PactError } from '../core/errors.ts';
import { parseIntents, parseRegistryDocument, rootList } from '../orchestration/parse-intents.ts';

/** An intent as a human asks for it at the command line. */
export interface NewIntent {
  readonly id: string;
  readonly name: string;
  readonly ownedScope: readonly string[];
  readonly constraints: readonly string[];
  readonly acceptanceCriteria: readonly string[];
  readonly maxTurns?: number;
  readonly maxTokens?: number;
}

const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const PLAIN = /^[A-Za-z][\w ./()-]*$/;

function toScalar(text: string): string {
  return PLAIN.test(text) && !text.endsWith(' ') && !RESERVED.test(text) ? text : JSON.stringify(text);
}

function listLines(key: string, items: readonly string[]): string[] {
  return items.length === 0
    ? [`  ${key}: []`]
    : [`  ${key}:`, ...items.map((item) => `    - ${toScalar(item)}`)];
}

/** The lines of a new item of the list, without indentation. */
function itemLines(intent: NewIntent): string[] {
  const { maxTurns, maxTokens } = intent;
  const budget = [
    ...(maxTurns === undefined ? [] : [`    max_turns: ${maxTurns}`]),
    ...(maxTokens === undefined ? [] : [`    max_tokens: ${maxTokens}`]),
  ];
  return [
    `- id: ${toScalar(intent.id)}`,
    `  name: ${toScalar(intent.name)}`,
    '  status: PENDING',
    ...listLines('owned_scope', intent.ownedScope),
    ...listLines('constraints', intent.constraints),
    ...listLines('acceptance_criteria', intent.acceptanceCriteria),
    ...(budget.length > 0 ? ['  budget:', ...budget] : []),
  ];
}

/** The item on one line, for lists in flow style: JSON is YAML. */
function itemJson(intent: NewIntent): string {
  const budget = { max_turns: intent.maxTurns, max_tokens: intent.maxTokens };
  return JSON.stringify({
    id: intent.id,
    name: intent.name,
    status: 'PENDING',
    owned_scope: intent.ownedScope,
    constraints: intent.constraints,
    acceptance_criteria: intent.acceptanceCriteria,
    ...(intent.maxTurns === undefined && intent.maxTokens === undefined ? {} : { budget }),
  });
}

function refuse(message: string): PactError {
  return new PactError('CONFLICT', message, 'Add the intent by hand.', {
    file: '.orchestration/active_intents.yaml',
  });
}

/** Just after the item that ends at `offset`, with the comments that are indented into it. */
function endOfItem(text: string, offset: number, indent: number): number {
  const lineEnd = (from: number) => {
    const newline = text.indexOf('\n', from);
    return newline < 0 ? text.length : newline + 1;
  };
  let end = offset > 0 && text[offset - 1] === '\n' ? offset : lineEnd(offset);
  for (let at = end; at < text.length; ) {
    const next = lineEnd(at);
    const line = text.slice(at, next);
    const [lead = ''] = /^[ \t]*/.exec(line) ?? [];
    if (line.trim() !== '' && (!line.trimStart().startsWith('#') || lead.length <= indent)) break;
    if (line.trim() !== '') end = next;
    at = next;
  }
  return end;
}

function spliceBlock(text: string, intent: NewIntent, end: number, first: number): string {
  const dash = text.lastIndexOf('-', first - 1);
  const indent = dash - (text.lastIndexOf('\n', dash) + 1);
  const lead = text.slice(dash - indent, dash);
  if (dash < 0 || lead.trim() !== '') throw refuse('the list of intents is written in an unusual way');
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const at = endOfItem(text, end, indent);
  const before = at > 0 && text[at - 1] !== '\n' ? eol : '';
  const item = itemLines(intent).map((line) => `${lead}${line}${eol}`);
  return `${text.slice(0, at)}${before}${eol}${item.join('')}${text.slice(at)}`;
}

/**
 * Appends an intent to the human's text; every byte that was there stays (H-47). The result is parsed again and must
 * hold all the old intents and the new one; otherwise a PactError is thrown.
 */
export function addIntent(text: string, intent: NewIntent): string {
  const document = parseRegistryDocument(text, new LineCounter());
  const { list } = rootList(document.contents);
  if (!list) throw refuse('there is no list active_intents');
  const [firstRange, lastRange] = [list.items[0], list.items.at(-1)].map(
    (item) => (item as { range?: readonly number[] } | undefined)?.range,
  );
  let edited: string;
  if (firstRange && lastRange && !list.flow)
    edited = spliceBlock(text, intent, lastRange[1] as number, firstRange[0] as number);
  else edited = spliceEmptyOrFlow(text, intent, list);
  assertAdded(text, edited, intent.id);
  return edited;
}

function spliceEmptyOrFlow(
  text: string,
  intent: NewIntent,
  list: { items: unknown[]; range?: unknown },
): string {
  const range = list.range as readonly number[] | null | undefined;
  if (isSeq(list) && range) {
    const close = (range[1] as number) - 1;
    if (text[close] !== ']') throw refuse('the list of intents is written in an unusual way');
    if (list.items.length > 0)
      return `${text.slice(0, close).trimEnd()}, ${itemJson(intent)}${text.slice(close)}`;
    const [start] = range as [number];
    const item = itemLines(intent).map((line) => `\n  ${line}`);
    return text.slice(0, start).trimEnd() + item.join('') + text.slice(close + 1);
  }
  const key = /^(?:active_intents|intents):[^\S\r\n]*(?:#[^\n]*)?(?:\r?\n|$)/m.exec(text);
  if (!key) throw refuse('the list of intents is written in an unusual way');
  const at = key.index + key[0].length;
  const before = text[at - 1] === '\n' ? '' : '\n';
  return (
    text.slice(0, at) +
    before +
    itemLines(intent)
      .map((line) => `  ${line}\n`)
      .join('') +
    text.slice(at)
  );
}

function assertAdded(before: string, after: string, id: string): void {
  const read = (text: string) => parseIntents(new TextEncoder().encode(text));
  const [old, now] = [read(before), read(after)];
  const bare = (intents: typeof now.intents) => JSON.stringify(intents.map(({ line: _, ...rest }) => rest));
  const [first] = now.problems;
  if (first) throw refuse(`the intent cannot be added: ${first.message}`);
  if (now.intents.at(-1)?.id !== id || bare(old.intents) !== bare(now.intents.slice(0, -1)))
    throw refuse('the intent cannot be added without touching more of the file');
}
