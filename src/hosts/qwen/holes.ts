import { COMMON_HOLES } from '../shared/verify/common-holes.ts';
import type { Hole } from '../shared/verify/verifier.ts';

/** Ways around the hooks that this host leaves open: seen on the real client 0.24.4, or read in its bundle. */
export const HOLES: readonly Hole[] = [
  {
    what: 'disableAllHooks, QWEN_CODE_SYSTEM_SETTINGS_PATH, QWEN_HOME',
    why: 'Whoever may edit a settings file, or sets these variables for the client, can switch every hook off.',
  },
  {
    what: '--bare, --safe-mode, tools.executionSandbox',
    why: 'A client started or set up so loads no hooks at all, the last one without a word.',
  },
  {
    what: 'a folder that is not trusted, a start in a subfolder',
    why: 'Hooks of the project load only where the client is started in the workspace folder, and, where folders are to be trusted at all, only once it is. An installation with --user holds everywhere.',
  },
  COMMON_HOLES.LATE_HOOK,
  COMMON_HOLES.KILLED_SHELL,
  {
    what: 'the result of a tool that has run',
    why: 'The client takes no refusal then: an alarm is told beside the result.',
  },
  {
    what: 'calls that are already running',
    why: 'A halt refuses what comes next, and the run ends before the model goes on; it does not end a sibling call of the same message.',
  },
  COMMON_HOLES.AT_FILE,
  COMMON_HOLES.HUMAN_COMMAND,
  COMMON_HOLES.LEFT_BEHIND,
];
