import type { Wiring } from '../../shared/install/installer.ts';
import { shellLine } from '../../shared/install/shell-line.ts';
import { launcherWords } from '../../shared/registration.ts';
import { HOST } from '../decode.ts';

const MARK = '# written by `pactclaw install`, removed by `pactclaw uninstall`';

/** True for a script that we wrote, in this version or another. */
export function isOurScript(text: string): boolean {
  return text.includes(MARK);
}

/**
 * The script of one event. The host reads no exit code and runs a call whose hook says nothing, so that a launcher
 * which is missing or ends without an answer must be made up for.
 */
export function scriptFor(event: string, wiring: Wiring): string {
  return `#!/bin/sh
${MARK}
answer=$(${shellLine(launcherWords(HOST, event, wiring))})
case $answer in
'{'*'}') printf '%s\\n' "$answer" ;;
*) echo '{"cancel":true,"errorMessage":"Fail-Safe Default: PactClaw could not judge this call. A human can run: pactclaw verify cline"}' ;;
esac
`;
}
