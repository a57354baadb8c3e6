import type { Policy } from '../../config/policy.ts';
import { whyNotContained } from '../../execution/probe.ts';
import type { Workspace } from '../workspace.ts';
import { containerScript, settingOf } from './setting.ts';

/** How commands of a workspace run, and why not in containers where that is so. */
export interface ExecutionReport {
  readonly run: 'contained' | 'watched' | 'refused';
  readonly why: string | null;
}

/** How commands run here, tried out if nobody has yet. A host's own part is told by each receipt. */
export async function executionReport(
  workspace: Workspace,
  policy: Pick<Policy, 'execution' | 'forbiddenPaths'>,
): Promise<ExecutionReport> {
  if (policy.execution === 'watched') return { run: 'watched', why: null };
  const why = await whyNotContained(settingOf(workspace, policy), containerScript(workspace.ground.install));
  if (why === null) return { run: 'contained', why: null };
  return { run: policy.execution === 'contained' ? 'refused' : 'watched', why };
}
