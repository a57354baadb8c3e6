import { isMap, isScalar, LineCounter, type Node, type Pair, type YAMLMap } from 'yaml';
import { PactError } from '../core/errors.ts';
import { isSelectable } from '../core/intent.ts';
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

/** A value's place without the line ends that a block scalar takes with it. */
function placeOf(text: string, node: Node | null | undefined, what: string): { from: number; to: number } {
  const [from, to] = rangeOf(node, what);
  return { from, to: from + text.slice(from, to).trimEnd().length };
}

function addAfterStatus(text: string, map: YAMLMap, status: IntentPair, entry: string): Splice {
  const { to } = placeOf(text, status.value, 'status');
  if (map.flow) return { from: to, to, text: `, ${entry}` };
  const [keyStart] = rangeOf(status.key, 'status');
  const at = afterLine(text, to);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const before = at > 0 && text[at - 1] !== '\n' ? eol : '';
  return { from: at, to: at, text: `${before}${' '.repeat(columnOf(text, keyStart))}${entry}${eol}` };
}

/** Gives a reason that is there already another text; one without a value gets it right after its colon. */
function replaceReason(text: string, pair: IntentPair, value: string): Splice {
  const place = pair.value ? placeOf(text, pair.value, 'blocked_reason') : null;
  if (place && place.to > place.from) return { ...place, text: value };
  const at = text.indexOf(':', rangeOf(pair.key, 'blocked_reason')[1]) + 1;
  return { from: at, to: at, text: ` ${value}` };
}

/** Takes out a whole pair: its lines in a block map, its comma too in a flow map. */
function dropReason(text: string, map: YAMLMap, pair: IntentPair): Splice | null {
  if (!pair.value) return null;
  const [keyStart] = rangeOf(pair.key, 'blocked_reason');
  const { to } = placeOf(text, pair.value, 'blocked_reason');
  if (map.flow) {
    const comma = /,\s*$/.exec(text.slice(0, keyStart));
    return comma && { from: comma.index, to, text: '' };
  }
  const lineStart = text.lastIndexOf('\n', keyStart - 1) + 1;
  if (text.slice(lineStart, keyStart).trim() !== '') return null;
  return { from: lineStart, to: afterLine(text, Math.max(keyStart, to)), text: '' };
}

function planReason(text: string, map: YAMLMap, status: IntentPair, reason: string | null): Splice | null {
  const pair = pairOf(map, FIELD_NAMES.blockedReason);
  if (reason === null) return pair && dropReason(text, map, pair);
  const value = JSON.stringify(reason);
  return pair
    ? replaceReason(text, pair, value)
    : addAfterStatus(text, map, status, `blocked_reason: ${value}`);
}

function apply(text: string, splices: readonly Splice[]): string {
  const fromEnd = splices.toSorted((a, b) => b.from - a.from);
  return fromEnd.reduce(
    (now, splice) => now.slice(0, splice.from) + splice.text + now.slice(splice.to),
    text,
  );
}

/**
 * Changes one intent's status (and its `blocked_reason`) in the human's text. Every other byte stays: comments,
 * order, quoting, unknown keys, line ends (H-47). The result is parsed again and must differ in that intent alone.
 * Where the file's form leaves no room for the reason, the status is changed without it; where not even that can be
 * done, nothing is changed and a PactError is thrown.
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
  const change = { ...placeOf(text, statusPair.value, 'status'), text: status };
  const said = planReason(text, map, statusPair, reason);
  const full = said && apply(text, [change, said]);
  if (full !== null && isOnlyStatus(text, full, id, status, reason)) return full;
  const bare = apply(text, [change]);
  if (isOnlyStatus(text, bare, id, status, undefined)) return bare;
  throw refuse(`the status of ${id} cannot be changed without touching more of the file`);
}

/** Like {@link editStatus}, for the engine: what a human has closed stays closed, and the text as it was (H-13). */
export function editOpenStatus(
  text: string,
  id: string,
  status: IntentStatus,
  reason: string | null,
): string {
  const now = parseIntents(new TextEncoder().encode(text)).intents.find((intent) => intent.id === id);
  return now && !isSelectable(now.status) ? text : editStatus(text, id, status, reason);
}

/** Whether two files differ in that intent's status and reason and in nothing else. An undefined reason may be any. */
function isOnlyStatus(
  before: string,
  after: string,
  id: string,
  status: IntentStatus,
  reason: string | null | undefined,
): boolean {
  const read = (text: string) => parseIntents(new TextEncoder().encode(text));
  const strip = (intents: ReturnType<typeof parseIntents>['intents']) =>
    JSON.stringify(
      intents.map(({ line, blockedReason, status: own, ...rest }) =>
        rest.id === id ? rest : { ...rest, own, blockedReason },
      ),
    );
  const [old, edited] = [read(before), read(after)];
  const now = edited.intents.find((intent) => intent.id === id);
  if (edited.problems.length > 0 || now?.status !== status) return false;
  if (reason !== undefined && (now.blockedReason ?? '') !== (reason ?? '')) return false;
  return strip(old.intents) === strip(edited.intents);
}
