import type { Hole } from '../../verify/verifier.ts';

/** Ways around the hooks that this host leaves open: seen on the real client 0.169.0, or told by its documentation. */
export const HOLES: readonly Hole[] = [
  {
    what: 'a hook that hangs',
    why: 'Codex lets a call run when its hook has not answered within the registered 30 s. PactClaw answers within 20 s by its own clock; only a process that cannot run at all (stopped, a dead disk) comes so far.',
  },
  {
    what: 'trust',
    why: 'Codex skips a hook that it does not trust, or that was edited since, and hooks of a project that it does not trust, without a word to the agent. Only managed hooks (/etc/codex/requirements.toml) need none.',
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
    why: 'Codex hands a command back to the model as running after 10 s and goes on with the next call. What it changes is found when it ends and the model asks for it; a halt does not end it.',
  },
  {
    what: 'sessions without a record',
    why: 'With --ephemeral there is no record: commands are refused, tokens and turns are not counted, and a call that fails is not recorded as failed.',
  },
  {
    what: '!command typed by the human',
    why: 'The client runs it as the human, without a hook.',
  },
];
