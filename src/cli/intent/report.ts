import type { Policy } from '../../config/policy.ts';
import type { Intent } from '../../core/intent.ts';
import { isSelectable } from '../../core/intent.ts';
import { countScopeFiles } from '../../orchestration/scope-count.ts';

/** How many files of a scope are counted for a report; far more than may be owned. */
const COUNT_LIMIT = 500;

/** Files that a scope covers now: a number, `500+`, or null when they cannot be counted. */
export function scopeFiles(
  root: string,
  intent: Intent,
): { readonly count: number | null; readonly shown: string } {
  if (intent.scope.fault) return { count: null, shown: 'not counted' };
  const { count, stoppedAt } = countScopeFiles(root, intent.scope, COUNT_LIMIT);
  if (count === null) return { count, shown: `not countable (${stoppedAt})` };
  return { count, shown: stoppedAt ? `${COUNT_LIMIT}+` : String(count) };
}

/** Something to say about an intent or its line; an error keeps it from being selected. */
export interface Remark {
  readonly level: 'error' | 'warning';
  readonly line: number;
  readonly message: string;
}

/** What is wrong with the scope of an intent (H-51, H-52, H-56); it matters only while the intent is open. */
export function scopeRemark(root: string, intent: Intent, policy: Policy): Remark | null {
  const { id, line, scope } = intent;
  const level = isSelectable(intent.status) || intent.status === 'BLOCKED' ? 'error' : 'warning';
  if (scope.fault)
    return {
      level,
      line,
      message: `${id}: Scope too broad: ${scope.fault.glob || '(none)'} ${scope.fault.why}`,
    };
  if (level === 'warning') return null;
  const { count, shown } = scopeFiles(root, intent);
  if (count !== null && count <= policy.maxScopeFiles) return null;
  return { level, line, message: `${id}: Scope covers ${shown} files (max ${policy.maxScopeFiles})` };
}
