import { isObject, type JsonObject } from '../../../core/json.ts';
import { callOf, LEGACY_CALL } from '../../../models/chat/calls.ts';
import { type AskedCall, WireFault } from '../../../models/shapes.ts';

const MAX_CALLS = 1_000;

/** A call as its pieces come in. */
export interface Gathering {
  readonly key: number;
  readonly type: 'function' | 'custom';
  id: string;
  name: string;
  readonly pieces: string[];
  fault: string | null;
}

/** The call as a message of the history has it. */
export function asMessageCall({ id, type, name, pieces }: Gathering): JsonObject {
  const text = pieces.join('');
  return type === 'custom'
    ? { id, type, custom: { name, input: text } }
    : { id, type, function: { name, arguments: text } };
}

/** A call in the deprecated way, which is refused. */
export function gatheredLegacy({ name }: JsonObject): Gathering {
  return {
    key: -1,
    type: 'function',
    id: '',
    name: String(name ?? ''),
    pieces: [],
    fault: LEGACY_CALL.fault,
  };
}

/**
 * Puts a piece to the call that it belongs to; gives the length of its text. Servers differ in what they repeat; what
 * could be read in two ways is a fault. Throws a WireFault when there are too many calls.
 */
export function gather(calls: Gathering[], piece: JsonObject): number {
  const id = typeof piece.id === 'string' ? piece.id : '';
  const key = typeof piece.index === 'number' ? piece.index : null;
  const before =
    key === null ? (id === '' ? calls.at(-1) : undefined) : calls.findLast((call) => call.key === key);
  const isNew = !before || (id !== '' && before.id !== '' && id !== before.id);
  const type = piece.type === 'custom' || piece.custom !== undefined ? 'custom' : 'function';
  const call: Gathering = isNew
    ? { key: key ?? calls.length, type, id, name: '', pieces: [], fault: null }
    : before;
  if (isNew) calls.push(call);
  if (call.id === '') call.id = id;
  const inner = isObject(piece[call.type]) ? (piece[call.type] as JsonObject) : {};
  if (typeof inner.name === 'string' && inner.name !== '') {
    if (call.name !== '' && call.name !== inner.name) call.fault = 'its name came in two pieces';
    call.name = inner.name;
  }
  const text = call.type === 'custom' ? inner.input : inner.arguments;
  if (typeof text === 'string') call.pieces.push(text);
  else if (text !== undefined && text !== null) call.fault = 'its arguments are no text';
  if (calls.length > MAX_CALLS) throw new WireFault(`it asks for more than ${MAX_CALLS} calls`);
  return typeof text === 'string' ? text.length : 0;
}

/** The call as it is judged. */
export function askedOf(call: Gathering): AskedCall {
  const asked = callOf(asMessageCall(call));
  return call.fault === null ? asked : { ...asked, args: null, fault: call.fault };
}
