import { governor } from '../hosts/generic/governor.ts';
import type { Governor, GovernorOptions } from '../hosts/generic/governor-types.ts';
import { installFolder } from './context.ts';
import { logNewsLater, openLog } from './operator-log.ts';

export type {
  Governor,
  GovernorOptions,
  HandshakeTool,
  ModelUse,
  ToolOptions,
  ToolTarget,
} from '../hosts/generic/governor-types.ts';
export { RefusedError } from '../hosts/generic/refused-error.ts';

/**
 * A governor for one session of an agent that this process runs (docs/typescript-api.md). Throws an error with `remedy`
 * when the workspace cannot be governed.
 */
export function createGovernor(options: GovernorOptions): Governor {
  void openLog();
  return governor(options, installFolder(), logNewsLater);
}
