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
  {
    what: 'a hook that is late',
    why: 'After its timeout (30 s) the client runs the call. PactClaw refuses by itself after 20 s, and its launcher after 21 s; a machine that stands still for longer is not covered.',
  },
  {
    what: 'a shell that is killed',
    why: 'Between client and launcher stands a shell. Killed from outside together with the launcher, it gives no answer, and the client runs the call.',
  },
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
  { what: '@file mentions', why: 'The client puts the file into the prompt by itself; no tool is called.' },
  { what: '!command typed by the human', why: 'The client runs it as the human, without a hook.' },
  {
    what: 'processes left behind',
    why: 'What a command starts in the background outlives its call, and later changes are not tied to it. PactClaw refuses background commands unless config.yaml allows them.',
  },
];
