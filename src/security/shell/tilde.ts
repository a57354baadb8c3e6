import { type Text, textOf, UNKNOWN } from './text.ts';
import type { World } from './world.ts';

/** Expands `~`, `~+`, `~user` at the start of a literal, and behind `=` and `:` where bash does that too. */
export function expandTilde(
  part: { readonly text: string; readonly value: string },
  world: World,
  use: 'argument' | 'value',
  isFirst: boolean,
  hasMore: boolean,
): Text {
  if (!part.text.includes('~')) return textOf(part.value);
  // A backslash anywhere: spelling and value differ, and only a leading tilde can be told for sure.
  const isPlain = part.text === part.value;
  const assignment = /^[A-Za-z_]\w*\+?=/.exec(part.text)?.[0] ?? '';
  if (isPlain && (use === 'value' || (isFirst && assignment !== ''))) {
    const rest = part.text.slice(use === 'value' ? 0 : assignment.length);
    const bits = rest.split(':');
    const expanded = bits.map((bit, at) => {
      const starts = at > 0 || isFirst;
      return textOf(
        at > 0 ? ':' : '',
        starts ? tildePrefix(bit, bit, world, hasMore && at === bits.length - 1) : bit,
      );
    });
    return textOf(use === 'value' ? '' : assignment, ...expanded);
  }
  return isFirst ? tildePrefix(part.text, part.value, world, hasMore) : textOf(part.value);
}

function tildePrefix(text: string, value: string, world: World, hasMore: boolean): Text {
  const prefix = /^~[^/\\]*/.exec(text)?.[0];
  if (prefix === undefined) return textOf(value);
  // `~"x"` and `~$x` are no tilde prefixes: the quoted or unknown part belongs to the name.
  const endsHere = prefix.length === text.length;
  if (endsHere ? hasMore : text[prefix.length] !== '/') return textOf(value);
  return textOf(homeOf(prefix, world), value.slice(prefix.length));
}

function homeOf(prefix: string, world: World): Text {
  if (prefix === '~') return world.home;
  if (prefix === '~+') return world.cwd === null ? UNKNOWN : textOf(world.cwd);
  return prefix === '~root' ? textOf('/root') : UNKNOWN;
}
