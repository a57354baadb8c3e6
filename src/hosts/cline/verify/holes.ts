import type { Hole } from '../../shared/verify/verifier.ts';

/** Ways around the hooks that this host leaves open: seen on the real client 3.0.65, or told by its source. */
export const HOLES: readonly Hole[] = [
  {
    what: 'a hook that is killed or late',
    why: 'The client reads no exit code: when the script itself is killed, says nothing or takes longer than 120 s, the call runs. The script answers for whatever happens to the programs behind it.',
  },
  {
    what: 'other versions of the client',
    why: 'A refused call runs with arguments that do nothing, so that the agent goes on. A version that does not know overrideInput would run it as it was; 3.0.65 is the one that was seen.',
  },
  {
    what: 'refusals that end the run',
    why: 'For tools without such arguments (agents, teams, other MCP servers) the host knows no refusal but the end of the run.',
  },
  {
    what: 'the start of the task',
    why: 'The client does not wait for TaskStart, so that no context reaches the agent before its first call; the rule file tells it of the handshake.',
  },
  {
    what: '--hooks-dir, --config, --data-dir',
    why: 'Whoever starts the client chooses where it looks for hooks, servers and its record of use. Hooks of the workspace load all the same.',
  },
];
