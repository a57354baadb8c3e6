import { parseOptions } from '../options.ts';
import { joinPath } from '../paths.ts';
import { headOf, type Text, textOf } from '../text.ts';
import { type Place, touch } from './git-place.ts';

/** `git config`: which settings file is written, if any. */
export function readConfig(place: Place, args: readonly Text[]): void {
  const options = parseOptions(args, {
    short: 'f',
    long: ['--file', '--blob', '--type', '--default', '--comment', '--value'],
  });
  const [first, ...rest] = options.operands.map(headOf);
  const isReading =
    options.has(
      '--get',
      '--get-all',
      '--get-regexp',
      '--list',
      '-l',
      '--get-urlmatch',
      '--get-color',
      '--get-colorbool',
    ) ||
    first === 'get' ||
    first === 'list';
  const isEditing =
    options.has(
      '--unset',
      '--unset-all',
      '--add',
      '--replace-all',
      '--edit',
      '-e',
      '--remove-section',
      '--rename-section',
    ) || /^(set|unset|edit|remove-section|rename-section)$/.test(first ?? '');
  if (isReading || (!isEditing && rest.length === 0)) return;
  const files = options.values('-f', '--file');
  for (const path of files) touch(place, path, 'write');
  if (files.length > 0) return;
  if (options.has('--system')) place.call.touch(textOf('/etc/gitconfig'), 'write');
  else if (options.has('--global')) {
    place.call.touch(textOf(place.call.home, '/.gitconfig'), 'write');
  } else if (place.cwd === null) touch(place, textOf('.git/config'), 'write');
  else place.call.touch(textOf(joinPath(place.cwd, '.git/config')), 'write');
}
