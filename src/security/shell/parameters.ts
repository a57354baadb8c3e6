import type { ParameterExpansionPart, Word } from 'unbash';
import { staticOf, type Text, textOf, UNKNOWN } from './text.ts';
import type { World } from './world.ts';

type Evaluate = (word: Word, world: World) => Text;

/** Values of `$name`, `$1`, `$@`: several for the lists, otherwise one. */
export function specialParameter(name: string, world: World, quoted: boolean): readonly Text[] {
  const { params } = world;
  if (name === '@' || name === '*') {
    if (params === null) return [UNKNOWN];
    if (name === '@' || !quoted) return params;
    return [textOf(...params.flatMap((param, at) => (at === 0 ? [param] : [' ', param])))];
  }
  if (name === '0') return [UNKNOWN];
  if (/^[1-9]\d*$/.test(name)) return [params === null ? UNKNOWN : (params[Number(name) - 1] ?? [])];
  return [variable(name, world) ?? UNKNOWN];
}

function variable(name: string, world: World): Text | null {
  const value = world.lookup(name);
  if (value !== null) return value;
  if (name === 'HOME') return world.home;
  if (name === 'PWD' && world.cwd !== null) return textOf(world.cwd);
  return null;
}

/** Values of `${…}`. Only the operations that scripts use to build paths are computed. */
export function expandParameter(
  part: ParameterExpansionPart,
  world: World,
  quoted: boolean,
  evaluate: Evaluate,
): readonly Text[] {
  const { operation } = part;
  if (part.index !== undefined) return [UNKNOWN];
  if (part.prefix !== undefined)
    return [part.prefix === '!' && !operation ? indirect(part.parameter, world) : UNKNOWN];
  if (operation === undefined) return specialParameter(part.parameter, world, quoted);
  const value = /^\d+$/.test(part.parameter)
    ? specialParameter(part.parameter, world, true)[0]!
    : variable(part.parameter, world);
  const known = value === null ? null : staticOf(value);
  if (known === null) return [UNKNOWN];
  if (operation.type === 'Default') {
    const wantsValue = !operation.operator.endsWith('+');
    const counts = known !== '' || !operation.operator.startsWith(':');
    if (counts === wantsValue) return counts ? [textOf(known)] : [[]];
    return [operation.operator.endsWith('?') ? [] : evaluate(operation.operand, world)];
  }
  if (operation.type === 'Remove') {
    // A quoted star is a character, not a wildcard; the value does not tell the two apart.
    if (/['"\\]/.test(operation.operand.text)) return [UNKNOWN];
    const pattern = staticOf(evaluate(operation.operand, world));
    return [pattern === null ? UNKNOWN : (removed(known, operation.operator, pattern) ?? UNKNOWN)];
  }
  if (operation.type === 'Slice') return [slice(known, operation.offset.text, operation.length?.text)];
  return [UNKNOWN];
}

/** `${!name}`: the value of the variable whose name is the value. */
function indirect(parameter: string, world: World): Text {
  const name = variable(parameter, world);
  const other = name === null ? null : staticOf(name);
  return (other !== null && /^[A-Za-z_]\w*$/.test(other) ? variable(other, world) : null) ?? UNKNOWN;
}

/** `${name:1:2}` with plain numbers; a length below zero counts from the end. */
function slice(value: string, offset: string, length: string | undefined): Text {
  const [from, count] = [offset.trim(), length?.trim() ?? ''];
  // Characters outside the basic plane would be counted otherwise than bash does.
  if (!/^\d+$/.test(from) || !/^(?:-?\d+)?$/.test(count) || /[^\u0000-\ud7ff]/.test(value)) return UNKNOWN;
  const rest = value.slice(Number(from));
  return textOf(count === '' ? rest : rest.slice(0, Number(count)));
}

/** `${f%.ts}` and its kin for patterns with at most one `*`, which cannot backtrack. */
function removed(value: string, operator: '#' | '##' | '%' | '%%', pattern: string): Text | null {
  if (/[?[\]\\()]/.test(pattern)) return null;
  const [start, end, ...more] = pattern.split('*');
  if (start === undefined || more.length > 0) return null;
  const longest = operator.length === 2;
  const fromStart = operator.startsWith('#');
  if (end === undefined) {
    if (fromStart) return textOf(value.startsWith(start) ? value.slice(start.length) : value);
    return textOf(start !== '' && value.endsWith(start) ? value.slice(0, -start.length) : value);
  }
  if (fromStart) {
    if (!value.startsWith(start)) return textOf(value);
    const at = longest ? value.lastIndexOf(end) : value.indexOf(end, start.length);
    return textOf(at < start.length ? value : value.slice(at + end.length));
  }
  if (!value.endsWith(end)) return textOf(value);
  const latest = value.length - end.length - start.length;
  const at = longest ? value.indexOf(start) : value.lastIndexOf(start, latest);
  return textOf(at < 0 || at > latest ? value : value.slice(0, at));
}
