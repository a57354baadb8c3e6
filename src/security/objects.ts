import { type GitPlace, git } from '../platform/git.ts';

/** How many files one git process reads at once. */
const BATCH = 200;

/** Bytes of stored files by their object ids, read by few processes: a command may have changed thousands. */
export function readObjects(place: GitPlace, objects: Iterable<string>): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  const wanted = [...new Set(objects)];
  for (let from = 0; from < wanted.length; from += BATCH) {
    const some = wanted.slice(from, from + BATCH);
    const output = git(place, ['cat-file', '--batch'], `${some.join('\n')}\n`);
    let at = 0;
    for (const object of some) {
      const end = output.indexOf(10, at);
      const [, type, size] = output.toString('latin1', at, end).split(' ');
      if (type !== 'blob') throw new Error(`the snapshot has lost ${object}`);
      const begin = end + 1;
      at = begin + Number(size) + 1;
      found.set(object, output.subarray(begin, at - 1));
    }
  }
  return found;
}
