import { isMap, isScalar, LineCounter, type Node, type Pair, type YAMLMap } from 'yaml';
import { PactError } from '../core/errors.ts';
import type { IntentStatus } from '../core/words.ts';
import { FIELD_NAMES } from './intent-fields.ts';
import { parseIntents, parseRegistryDocument, rootList } from './parse-intents.ts';

type IntentPair = Pair<Node, Node | null>;

/** One replacement of bytes in the human's text. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function pairOf(map: YAMLMap, names: readonly string[]): IntentPair | null {
  for (const name of names) {
    const pair = map.items.find((item) => isScalar(item.key) && item.key.value === name);
    if (pair) return pair as unknown as IntentPair;
  }
  return null;
}

function refuse(message: string): PactError {
  return new PactError('CONFLICT', message, 'Edit the file by hand.', {
    file: '.orchestration/active_intents.yaml',
  });
}

function rangeOf(node: Node | null | undefined, what: string): readonly [number, number] {
  const range = node?.range;
  if (!range) throw refuse(`${what} cannot be found in the file`);
  return [range[0], range[1]];
}

/** Where a line that follows `offset` begins; the text's end when it is the last. */
function afterLine(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline < 0 ? text.length : newline + 1;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function addAfterStatus(text: string, map: YAMLMap, status: IntentPair, entry: string): Splice {
  const [, statusEnd] = rangeOf(status.value ?? status.key, 'status');
  if (map.flow) return { from: statusEnd, to: statusEnd, text: `, ${entry}` };
  const [keyStart] = rangeOf(status.key, 'status');
  const at = afterLine(text, statusEnd);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const before = at > 0 && text[at - 1] !== '\n' ? eol : '';
  return { from: at, to: at, text: `${before}${' '.repeat(columnOf(text, keyStart))}${entry}${eol}` };
}

/** Takes out a whole `key: value` line of a block map. */
function dropPair(text: string, map: YAMLMap, pair: IntentPair): Splice | null {
  if (map.flow || !pair.value) return null;
  const [keyStart] = rangeOf(pair.key, 'blocked_reason');
  const [, valueEnd] = rangeOf(pair.value, 'blocked_reason');
  const lineStart = text.lastIndexOf('\n', keyStart - 1) + 1;
  if (text.slice(lineStart, keyStart).trim() !== '') return null;
  return { from: lineStart, to: afterLine(text, Math.max(keyStart, valueEnd - 1)), text: '' };
}

/**
 * Changes one intent's status (and its `blocked_reason`) in the human's text. Every other byte stays: comments,
 * order, quoting, unknown keys, line ends (H-47). The result is parsed again and must differ in that intent's
 * status alone; otherwise nothing is changed and a PactError is thrown.
 */
export function editStatus(text: string, id: string, status: IntentStatus, reason: string | null): string {
  const document = parseRegistryDocument(text, new LineCounter());
  const { list } = rootList(document.contents);
  const map = list?.items.find((item): item is YAMLMap => {
    if (!isMap(item)) return false;
    const pair = pairOf(item, FIELD_NAMES.id);
    return pair !== null && document.createNode(pair.value)?.toJS(document) === id;
  });
  if (!map) throw refuse(`intent ${id} is not in the file`);
  const statusPair = pairOf(map, FIELD_NAMES.status);
  if (!statusPair?.value) throw refuse(`intent ${id} has no status to change`);
  const [from, to] = rangeOf(statusPair.value, 'status');
  const splices: Splice[] = [{ from, to, text: status }];
  const reasonPair = pairOf(map, FIELD_NAMES.blockedReason);
  if (reason !== null) {
    const entry = `blocked_reason: ${JSON.stringify(reason)}`;
    if (reasonPair?.value) {
      const [start, end] = rangeOf(reasonPair.value, 'blocked_reason');
      const newline = text.slice(start, end).endsWith('\n') ? '\n' : '';
      splices.push({ from: start, to: end, text: `${JSON.stringify(reason)}${newline}` });
    } else if (!reasonPair) splices.push(addAfterStatus(text, map, statusPair, entry));
  } else if (reasonPair) {
    const drop = dropPair(text, map, reasonPair);
    if (drop) splices.push(drop);
  }
  splices.sort((a, b) => b.from - a.from);
  const edited = splices.reduce(
    (now, splice) => now.slice(0, splice.from) + splice.text + now.slice(splice.to),
    text,
  );
  assertOnlyStatus(text, edited, id, status);
  return edited;
}

function assertOnlyStatus(before: string, after: string, id: string, status: IntentStatus): void {
  const encode = (text: string) => parseIntents(new TextEncoder().encode(text));
  const strip = (intents: ReturnType<typeof parseIntents>['intents']) =>
    JSON.stringify(
      intents.map(({ line, blockedReason, status: own, ...rest }) =>
        rest.id === id ? rest : { ...rest, own, blockedReason },
      ),
    );
  const [old, edited] = [encode(before), encode(after)];
  const now = edited.intents.find((intent) => intent.id === id);
  if (edited.problems.length > 0 || now?.status !== status || strip(old.intents) !== strip(edited.intents))
    throw refuse(`the status of ${id} cannot be changed without touching more of the file`);
}
