import path from 'node:path/posix';
import type { Source } from './sources.ts';

/** Static, type-only and dynamic imports alike. */
const SPECIFIER = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** The files of `sources` that each of them imports, in whatever form. */
export function importGraph(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const known = new Set(sources.map(({ file }) => file));
  return new Map(
    sources.map(({ file, text }) => [
      file,
      [...text.matchAll(SPECIFIER)]
        .map((match) => path.normalize(path.join(path.dirname(file), match[1] ?? '')))
        .filter((target) => known.has(target)),
    ]),
  );
}

/** Groups of files that import each other in a circle (strongly connected components, Tarjan 1972); none when there is no circle. */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file) as number);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      else if (!stack.includes(next)) continue;
      low.set(file, Math.min(low.get(file) as number, low.get(next) as number));
    }
    if (low.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1 || graph.get(file)?.includes(file)) circles.push(group.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}
