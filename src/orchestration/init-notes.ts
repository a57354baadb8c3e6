import { messageOf } from '../core/errors.ts';
import { isSelectable } from '../core/intent.ts';
import type { Layout } from '../core/layout.ts';
import { MAX_SCOPE_FILES } from '../core/words.ts';
import { parseIntents } from './parse-intents.ts';
import { readRegistryBytes } from './registry.ts';
import { countScopeFiles } from './scope-count.ts';

/** What a human should know about the intents as they stand: faults, scopes that will be refused (H-42, H-101). */
export function checkIntents(layout: Layout): string[] {
  let bytes: Buffer;
  try {
    bytes = readRegistryBytes(layout);
  } catch (error) {
    return [`active_intents.yaml cannot be read: ${messageOf(error)}`];
  }
  const { intents, problems, warnings } = parseIntents(bytes);
  if (problems.length > 0)
    return problems.map(
      ({ line, message }) =>
        `active_intents.yaml is broken at line ${line}: ${message}; until it is corrected nothing may be changed`,
    );
  const notes = warnings.map(({ line, message }) => `active_intents.yaml line ${line}: ${message}`);
  const open = intents.filter((intent) => isSelectable(intent.status));
  for (const { id, line, scope } of open) {
    const place = `active_intents.yaml line ${line}: ${id}`;
    if (scope.fault) notes.push(`${place} cannot be selected: ${scope.fault.glob} ${scope.fault.why}`);
    else {
      const { count, stoppedAt } = countScopeFiles(layout.root, scope, MAX_SCOPE_FILES);
      if (count === null)
        notes.push(`${place} cannot be selected: its files cannot be counted (${stoppedAt})`);
      else if (stoppedAt)
        notes.push(`${place} cannot be selected: it covers more than ${MAX_SCOPE_FILES} files`);
    }
  }
  if (open.length === 0) notes.push('active_intents.yaml has no intent that an agent could select');
  return notes;
}
