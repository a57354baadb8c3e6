import { descendantsOf, killHard, type RunResult, waitUntil } from '../../../platform/run.ts';
import { brief, type Check, check, skip } from './check.ts';
import { fire, type Variation } from './sandbox.ts';
import type { HostVerifier, RegisteredHook, Sandbox } from './verifier.ts';

/** Input that is no message of any host. */
const BROKEN_INPUT: Readonly<Record<string, string>> = {
  'garbage on standard input': '\u0000\u0001 garbage {{{',
  'nothing on standard input': '',
  'half a message': '{"session_id":"x","hook_event_name":"PreToolUse","tool_na',
  'a message of another shape': '[1,2,3]\n',
  'a message without an event': '{"session_id":"x","cwd":"/"}',
};

/** Part of the command line of the process that decides. */
const ENGINE = 'hook.cjs';

/** True when the host refuses by each of its locks alone. */
function refusesTwice(verifier: HostVerifier, result: RunResult): boolean {
  const alone = {
    answer: { ...result, code: 0, stderr: '' },
    exit: { ...result, stdout: '' },
  };
  const locks = verifier.locks ?? (['answer', 'exit'] as const);
  return (
    locks.every((lock) => verifier.verdictOf(alone[lock]).verdict === 'denied') &&
    (!locks.includes('exit') || result.stderr.trim() !== '')
  );
}

/**
 * Breaks the hook in the ways that an installation breaks in practice. Each time the launcher itself must refuse in
 * every form that the host honours: a switch of the host's own (`onFailure`) is only one lock more.
 */
export async function checkBreakage(
  verifier: HostVerifier,
  sandbox: Sandbox,
  hook: RegisteredHook,
): Promise<Check[]> {
  const trial = { does: 'write', file: `${sandbox.root}/src/verify/x.txt`, content: 'x' } as const;
  const tool = verifier.toolFor(trial);
  const call = tool && { ...tool, trial, id: 'toolu_verify_broken' };
  const input = verifier.payload(sandbox, 'beforeTool', call);
  const refuses = async (title: string, variation: Variation, twice = true): Promise<Check> => {
    const result = await fire(verifier, sandbox, hook, input, variation);
    const { verdict, text } = verifier.verdictOf(result);
    const good = verdict === 'denied' && (!twice || refusesTwice(verifier, result));
    return check(
      'fail-closed',
      `${title}: refused`,
      good,
      brief(`${verdict} (exit ${result.code ?? result.signal}): ${text}`),
    );
  };
  const checks: Check[] = [];
  for (const [title, bytes] of Object.entries(BROKEN_INPUT))
    checks.push(await refuses(title, { input: bytes }));
  checks.push(await refuses('Node is gone', { node: '/nonexistent/node' }));
  if (verifier.guarded)
    checks.push(await refuses('PactClaw is gone', { launcher: '/nonexistent/pactclaw-hook' }, false));
  let killed = false;
  const started = async (pid: number) => {
    // The hook waits for its input, so that it is surely still running when it is killed. Only the engine itself is:
    // what the host started, a shell or our launcher, must live to refuse.
    await waitUntil(() => descendantsOf(pid, ENGINE).length > 0, 5_000);
    for (const child of descendantsOf(pid, ENGINE)) {
      killHard(child);
      killed = true;
    }
  };
  const title = 'the hook is killed while it runs';
  const afterKill = await refuses(title, { input: null, started, timeoutMs: 25_000 });
  checks.push(killed ? afterKill : skip('fail-closed', title, '`ps` does not tell its process'));
  return checks;
}
