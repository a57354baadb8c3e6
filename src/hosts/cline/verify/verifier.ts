import { isObject } from '../../../core/json.ts';
import { readIfThere } from '../../../platform/files.ts';
import { isExecutable, type RunResult } from '../../../platform/run.ts';
import type { Machine } from '../../shared/install/installer.ts';
import { shellWords } from '../../shared/install/shell-line.ts';
import { faultOfWords } from '../../shared/registration.ts';
import { findServerIn } from '../../shared/server-entry.ts';
import { answerOf, unanswered } from '../../shared/verify/answers.ts';
import { type Check, check } from '../../shared/verify/check.ts';
import { redirected, workspaceIn } from '../../shared/verify/start.ts';
import type {
  HostVerifier,
  RegisteredHook,
  RegisteredServer,
  Verdict,
  WiringFacts,
} from '../../shared/verify/verifier.ts';
import { checkClient, checkEvents, checkWorkspace } from '../../shared/verify/wiring-checks.ts';
import { EVENTS as HANDLED } from '../adapter.ts';
import { HOST } from '../decode.ts';
import { VERSION_FLOOR } from '../install/installer.ts';
import { hooksFolder, ruleFile, serverFile } from '../install/places.ts';
import { isOurRule } from '../install/rule.ts';
import { isOurScript } from '../install/script.ts';
import { HOLES } from './holes.ts';
import { EVENTS, payloadFor, toolFor } from './payloads.ts';

function textOf(file: string): string {
  try {
    return readIfThere(file)?.toString('utf8') ?? '';
  } catch {
    return '';
  }
}

const LAUNCH = /^answer=\$\((.*)\)$/m;

function registered(machine: Machine): RegisteredHook[] {
  const folders = [hooksFolder(machine, 'project'), hooksFolder(machine, 'user')].flatMap((one) => one ?? []);
  return folders.flatMap((folder) =>
    HANDLED.flatMap((event) => {
      const file = `${folder}/${event}`;
      const text = textOf(file);
      if (!isOurScript(text)) return [];
      const words = shellWords(LAUNCH.exec(text)?.[1] ?? '');
      return [
        {
          file,
          event,
          handler: { words },
          workspace: workspaceIn(words ?? []),
          // The script as it stands, with the sandbox and perhaps another Node in it.
          start: (root: string, node?: string) => {
            if (words === null) return null;
            const moved =
              node === undefined ? redirected(words, root) : redirected(words, root).with(1, node);
            const quoted = moved.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
            return { file: '/bin/sh', args: ['-c', text.replace(LAUNCH, () => `answer=$(${quoted})`)] };
          },
        },
      ];
    }),
  );
}

/** What is wrong with one script, or null. */
function faultOf({ file, event, handler }: RegisteredHook): string | null {
  const words = Array.isArray(handler.words) ? handler.words.map(String) : null;
  if (words === null) return 'it does not start the launcher as PactClaw writes it';
  if (!isExecutable(file)) return `${file} cannot be executed`;
  return faultOfWords(HOST, event, words);
}

function checkRule(machine: Machine): Check {
  const files = (['project', 'user'] as const).flatMap((scope) => ruleFile(machine, scope) ?? []);
  const found = files.find((file) => isOurRule(textOf(file)));
  return check(
    'wiring',
    'the rule that tells of the handshake is there',
    found !== undefined,
    found ?? 'it is not',
  );
}

function checkWiring({ machine, registered: hooks, client, asked, cwd }: WiringFacts): Check[] {
  return [
    ...checkEvents(HANDLED, hooks, faultOf),
    ...checkWorkspace(hooks, machine.project ?? cwd),
    checkRule(machine),
    checkClient(client, asked, {
      title: `the client is ${VERSION_FLOOR} or later`,
      name: 'cline',
      floor: VERSION_FLOOR,
    }),
  ];
}

function findServer(machine: Machine): RegisteredServer | null {
  const found = findServerIn([serverFile(machine)]);
  if (found === null) return null;
  // It names no workspace: the host starts it in the one that it works in.
  const start = (root: string) => {
    const { file, args } = found.start(root);
    return { file, args: [...args, '--workspace', root] };
  };
  return { ...found, start };
}

/** Only what stands on standard output counts: the end of the run, or other arguments with a word on why. */
function verdictOf(result: RunResult): Verdict {
  const silent = unanswered(result);
  if (silent) return silent;
  const answer = answerOf(result);
  if (answer === null) return { verdict: 'failed', text: 'no answer: the call runs' };
  if (answer.cancel === true) return { verdict: 'denied', text: String(answer.errorMessage ?? '') };
  if (isObject(answer.overrideInput) && typeof answer.contextModification === 'string')
    return {
      verdict: 'denied',
      text: answer.contextModification.replace(/^The call of \S+ was refused\. /, ''),
    };
  return { verdict: 'runs', text: 'allowed' };
}

/** Cline CLI (docs/hosts/cline.md). */
export const clineVerifier: HostVerifier = {
  host: HOST,
  clients: ['cline'],
  events: EVENTS,
  registered,
  wiring: checkWiring,
  server: { find: findServer },
  env: () => ({ CLINE_DIR: undefined, CLINE_DATA_DIR: undefined }),
  payload: payloadFor,
  toolFor,
  verdictOf,
  locks: ['answer'],
  wiringFiles: ['.clinerules/hooks/PreToolUse', '.clinerules/pactclaw.md'],
  holes: HOLES,
};
