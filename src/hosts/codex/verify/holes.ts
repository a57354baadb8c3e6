import type { Hole } from '../../shared/verify/verifier.ts';

/** Ways around the hooks that this host leaves open: seen on the real client 0.169.0 where nothing else is said. */
export const HOLES: readonly Hole[] = [
  {
    what: 'trust',
    why: 'Codex skips a hook that it does not trust, or that was edited since, and everything of a project that it does not trust, without a word to the agent. Only managed hooks (/etc/codex/requirements.toml) need no trust.',
  },
  {
    what: 'features.hooks, --disable hooks',
    why: 'Whoever may edit config.toml or start the client with -c can switch every hook off.',
  },
  {
    what: 'hosted tools',
    why: 'web_search runs at the model provider; no hook hears of it.',
  },
  {
    what: 'write_stdin',
    why: 'No hook hears what is typed into a running command. PactClaw refuses a command with a terminal unless config.yaml allows background commands.',
  },
  {
    what: 'long commands',
    why: 'Codex hands a command back to the model as running after 10 s, or the 30 s that the model may ask for, and goes on with the next call. What it changes is found when the model asks for the rest, else at the end of the turn; one that runs on in an interactive session, when it ends. A halt does not end it.',
  },
  {
    what: 'sessions without a record',
    why: 'With --ephemeral Codex keeps no record: commands are refused, turns and tokens are not counted, and nobody hears of a call that fails.',
  },
  {
    what: '!command typed by the human',
    why: 'The client runs it as the human. Whether a hook hears of it was not tried.',
  },
];
