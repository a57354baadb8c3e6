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
  {
    what: 'a hook that is late',
    why: 'After its timeout (30 s) the client runs the call. PactClaw refuses by itself after 20 s, and its launcher after 21 s; a machine that stands still for longer is not covered.',
  },
  {
    what: 'a shell that is killed',
    why: 'Between client and launcher stands a shell. Killed from outside together with the launcher, it gives no answer, and the client runs the call.',
  },
  {
    what: 'the result of a tool that has run',
    why: 'The client takes no refusal then: an alarm is told beside the result.',
  },
  {
    what: 'calls that are already running',
    why: 'A halt refuses what comes next, and the run ends before the model goes on; it does not end a sibling call of the same message.',
  },
  { what: '@file mentions', why: 'The client puts the file into the prompt by itself; no tool is called.' },
  { what: '!command typed by the human', why: 'The client runs it as the human, without a hook.' },
  {
    what: 'processes left behind',
    why: 'What a command starts in the background outlives its call, and later changes are not tied to it. PactClaw refuses background commands unless config.yaml allows them.',
  },
];
