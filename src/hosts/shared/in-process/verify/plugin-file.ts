import type { JsonObject } from '../../../../core/json.ts';
import { exists } from '../../../../platform/files.ts';
import { isExecutable, type RunResult } from '../../../../platform/run.ts';
import { unanswered } from '../../verify/answers.ts';
import { startsProgram } from '../../verify/start.ts';
import type { RegisteredHook, Verdict } from '../../verify/verifier.ts';
import { answerOf, type PluginWiring } from '../bridge.ts';

/** Longest time that the hook takes for itself (its deadline), in milliseconds. */
const HOOK_DEADLINE_MS = 20_000;

/** The hooks of a plugin: one program stands behind all of the host's events. */
export function hooksOf(
  host: string,
  plugin: { readonly file: string; readonly bundle: string; readonly wiring: PluginWiring },
  events: readonly string[],
): RegisteredHook[] {
  const { file, bundle, wiring } = plugin;
  const { launcher, node, workspace } = wiring;
  const place = typeof workspace === 'string' ? ['--workspace', workspace] : [];
  return events.map((event) => ({
    file,
    event,
    handler: { ...wiring, bundle } as unknown as JsonObject,
    workspace: typeof workspace === 'string' ? workspace : null,
    start: typeof launcher === 'string' ? startsProgram(launcher, [node, host, ...place]) : () => null,
  }));
}

/** What is wrong with a plugin's registration, or null. */
export function faultOf({ handler }: RegisteredHook): string | null {
  const { launcher, node, bundle, timeoutMs } = handler;
  if (!isExecutable(String(launcher))) return `${String(launcher)} cannot be executed`;
  if (!isExecutable(String(node))) return `Node is not at ${String(node)}`;
  if (!exists(String(bundle))) return `${String(bundle)} is missing, so that the plugin cannot load`;
  if (typeof timeoutMs !== 'number' || timeoutMs <= HOOK_DEADLINE_MS)
    return `its timeout (${String(timeoutMs)} ms) is not above the hook's own deadline of ${HOOK_DEADLINE_MS} ms`;
  return null;
}

/** How our plugin takes what the hook answers: anything but an allow refuses. */
export function verdictOf(result: RunResult): Verdict {
  const silent = unanswered(result);
  if (silent) return { ...silent, verdict: 'denied' };
  const { verdict, reason } = answerOf(result);
  return verdict === 'allow' || verdict === 'none'
    ? { verdict: 'runs', text: 'allowed' }
    : { verdict: 'denied', text: reason ?? '' };
}
