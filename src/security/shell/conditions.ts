import type { Found, ShellTarget, ShellUnread } from './found.ts';
import { changeFolder, isAboveOrSame } from './paths.ts';

/**
 * Takes the conditions off targets whose pivot the command itself may create or remove before: `mkdir b; cp a b`.
 * What the disk says now is then no answer.
 */
export function settleConditions(found: Found): void {
  const targets = [...found.targets.values()];
  if (!targets.some((target) => target.onlyIf !== undefined)) return;
  const isOpen = found.opaque.size > 0 || targets.length > 2000;
  const others = [...targets, ...found.unread.values()];
  const settled = targets.map((target) => {
    if (target.onlyIf === undefined) return target;
    const { onlyIf, ...rest } = target;
    const origin = found.origins.get(target);
    const isChanged = others.some(
      (other) => found.origins.get(other) !== origin && mayChange(other, onlyIf.path),
    );
    return isOpen || isChanged ? rest : target;
  });
  found.targets.clear();
  for (const target of settled) found.targets.set(JSON.stringify(target), target);
}

/** True when an entry may make or unmake the folder: it is the folder, above it, or written below it. */
function mayChange(entry: ShellTarget | ShellUnread, pivot: string): boolean {
  if (!('path' in entry)) return true;
  const [path, folder] = [changeFolder('/', entry.path), changeFolder('/', pivot)];
  if (isAboveOrSame(path, folder)) return true;
  return isAboveOrSame(folder, path) && entry.role !== 'delete' && entry.role !== 'move-from';
}
