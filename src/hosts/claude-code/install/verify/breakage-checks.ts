import { descendantsOf, killHard, waitUntil } from '../../../../platform/run.ts';
import type { Registered } from '../guards.ts';
import { brief, type Check, check, skip } from './check.ts';
import { fire, payload, type Sandbox, type Variation, verdictOf } from './sandbox.ts';

/** Input that is no message of the host. */
const BROKEN_INPUT: Readonly<Record<string, string>> = {
  'garbage on standard input': '\u0000\u0001 garbage {{{',
  'nothing on standard input': '',
  'half a message': '{"session_id":"x","hook_event_name":"PreToolUse","tool_na',
  'a message of another shape': '[1,2,3]\n',
  'a message without an event': '{"session_id":"x","cwd":"/"}',
};

/**
 * Breaks the hook in the ways that an installation breaks in practice. Each time the launcher itself must refuse with
 * exit code 2 and a deny answer: the host's own `onFailure` is only the second lock.
 */
export async function checkBreakage(sandbox: Sandbox, hook: Registered): Promise<Check[]> {
  const input = payload(sandbox, 'PreToolUse', {
    tool_name: 'Write',
    tool_input: { file_path: `${sandbox.root}/src/verify/x.txt`, content: 'x' },
    tool_use_id: 'toolu_verify_broken',
  });
  const refuses = async (title: string, variation: Variation): Promise<Check> => {
    const result = await fire(sandbox, hook, input, variation);
    const { verdict, text } = verdictOf(result);
    const good =
      result.code === 2 && verdict === 'denied' && result.stdout.includes('"permissionDecision":"deny"');
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
  let killed = false;
  const started = async (pid: number) => {
    // The hook waits for its input, so that it is surely still running when it is killed.
    await waitUntil(() => descendantsOf(pid).length > 0, 5_000);
    for (const child of descendantsOf(pid)) {
      killHard(child);
      killed = true;
    }
  };
  const title = 'the hook is killed while it runs';
  const afterKill = await refuses(title, { input: null, started, timeoutMs: 25_000 });
  checks.push(killed ? afterKill : skip('fail-closed', title, '`ps` does not tell its process'));
  return checks;
}
