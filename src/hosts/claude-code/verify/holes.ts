import type { Hole } from '../../shared/verify/verifier.ts';

/** Ways around the hooks that this host leaves open: seen on the real client 2.1.329, or told by its documentation. */
export const HOLES: readonly Hole[] = [
  {
    what: 'disableAllHooks',
    why: 'Whoever may edit a settings file or start the client with --settings can switch every hook off. What a command does to the settings while it runs is put back, as long as the server of PactClaw that the client has started lives. Only managed settings (install --managed) cannot be overruled.',
  },
  { what: '--bare, --safe-mode', why: 'A client started so loads no hooks at all.' },
  {
    what: 'a start in a subfolder',
    why: 'Hooks of the project load only where the client is started in the workspace folder. An installation with --user holds everywhere.',
  },
  { what: '@file mentions', why: 'The client puts the file into the prompt by itself; no tool is called.' },
  { what: '!command typed by the human', why: 'The client runs it as the human, without a hook.' },
  {
    what: 'processes left behind',
    why: 'What a command starts in the background outlives its call, and later changes are not tied to it. PactClaw refuses background commands unless config.yaml allows them.',
  },
  {
    what: 'calls that are already running',
    why: 'A halt refuses what comes next; it does not end a sibling call of the same message that was allowed before.',
  },
];
