import { COMMON_HOLES } from '../../shared/verify/common-holes.ts';
import type { Hole } from '../../shared/verify/verifier.ts';

/** Ways around the hooks that this host leaves open: seen on the real client 1.0.102, or told by its documentation. */
export const HOLES: readonly Hole[] = [
  {
    what: 'disableAllHooks, disabledHooks',
    why: 'Whoever may edit ~/.copilot/settings.json or .github/copilot/settings.json can switch every hook off.',
  },
  {
    what: 'a start in a subfolder, a folder that is not trusted',
    why: 'Hooks of the project load only where the client is started in the workspace folder, and only once the folder is trusted. An installation with --user holds everywhere.',
  },
  COMMON_HOLES.LATE_HOOK,
  {
    what: 'commands that take longer than the call',
    why: 'After initial_wait a command goes on behind its call, and later changes are not tied to it. PactClaw refuses commands that are started in the background.',
  },
  {
    what: "a subagent's subagent",
    why: 'The client tells its parent and not the session; it must do a handshake of its own, and its use is not counted.',
  },
  COMMON_HOLES.HUMAN_COMMAND,
  {
    what: 'calls that are already running',
    why: 'A halt refuses what comes next; the client cannot be made to end the run.',
  },
];
