import type { Hole } from './verifier.ts';

/** Ways around the hooks that several hosts leave open. */
export const COMMON_HOLES = {
  AT_FILE: {
    what: '@file mentions',
    why: 'The client puts the file into the prompt by itself; no tool is called.',
  },
  HUMAN_COMMAND: {
    what: '!command typed by the human',
    why: 'The client runs it as the human, without a hook.',
  },
  LEFT_BEHIND: {
    what: 'processes left behind',
    why: 'What a command starts in the background outlives its call, and later changes are not tied to it. PactClaw refuses background commands unless config.yaml allows them.',
  },
  LATE_HOOK: {
    what: 'a hook that is late',
    why: 'After its timeout (30 s) the client runs the call. PactClaw refuses by itself after 20 s, and its launcher after 21 s; a machine that stands still for longer is not covered.',
  },
  KILLED_SHELL: {
    what: 'a shell that is killed',
    why: 'Between client and launcher stands a shell. Killed from outside together with the launcher, it gives no answer, and the client runs the call.',
  },
  LATE_OR_KILLED: {
    what: 'a hook that is late, a shell that is killed',
    why: 'The client runs the call then. PactClaw refuses by itself after 20 s, and its launcher after 21 s.',
  },
  NOT_TRIED: {
    what: 'no client was tried',
    why: 'What is known of this host comes from its documentation.',
  },
  NO_USAGE: {
    what: 'budgets',
    why: 'The client tells neither of tokens nor of turns: tokens are not counted, and every call counts as a turn.',
  },
  RUNNING_CALLS: {
    what: 'calls that are already running',
    why: 'A halt refuses what comes next; it ends neither the run nor a sibling call that was allowed before.',
  },
} as const satisfies Readonly<Record<string, Hole>>;
