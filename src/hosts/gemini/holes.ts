import { COMMON_HOLES } from '../shared/verify/common-holes.ts';
import type { Hole } from '../shared/verify/verifier.ts';

/** Ways around the hooks that this host leaves open: seen on the real client 0.61.0, or read in its bundle. */
export const HOLES: readonly Hole[] = [
  {
    what: 'hooksConfig, GEMINI_CLI_SYSTEM_SETTINGS_PATH, GEMINI_CLI_HOME',
    why: 'Whoever may edit a settings file, or sets these variables for the client, can switch every hook off.',
  },
  {
    what: 'a folder that is not trusted, --skip-trust',
    why: 'In a folder that the human has not accepted the client loads no hooks; headless it refuses to run there. With --skip-trust hooks of the project do not load; an installation with --user holds.',
  },
  {
    what: 'a start in a subfolder',
    why: 'Hooks of the project load only where the client is started in the workspace folder. An installation with --user holds everywhere.',
  },
  COMMON_HOLES.LATE_HOOK,
  COMMON_HOLES.KILLED_SHELL,
  {
    what: 'another hook that changes the arguments',
    why: 'The client lets hooks rewrite a call after it was judged. What a command did is still held against the scope; a write is recorded as the file is then.',
  },
  {
    what: 'calls without ids',
    why: 'The client names no calls. A command that plays the client could end and begin its own call again, and its changes in between would be taken for what was there before.',
  },
  {
    what: 'a tool that throws, a run that is cut off',
    why: 'The client then tells no outcome: what the tool did is found with the next command, or not recorded.',
  },
  COMMON_HOLES.AT_FILE,
  COMMON_HOLES.HUMAN_COMMAND,
  COMMON_HOLES.LEFT_BEHIND,
];
