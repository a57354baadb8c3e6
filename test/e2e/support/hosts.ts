import type { ClientName } from './clients/pins.ts';
import type { Fault, Level } from './faults.ts';

/** One agent host, as the suites that every host must pass have to know it. */
export interface HostUnderTest {
  /** Its name in `pactclaw install`, and of its client in the harness. */
  readonly host: ClientName;
  /** Its name in the documents. */
  readonly title: string;
  /** Whether a halt ends the client's run. Where it cannot, every further call is refused. */
  readonly endsOnHalt: boolean;
  /** The file of our `dist` that the client loads into itself, where it does. */
  readonly plugin?: string;
  /** Arguments with which the client runs hooks whose registration was changed after `install`. */
  readonly changedHooks?: readonly string[];
  /** Failures of ours after which the client runs a call all the same, and why that cannot be helped. */
  readonly explained?: Notes;
  /** What is not tried, and why. */
  readonly untried?: Notes;
}

type Notes = Readonly<Partial<Record<`${Level} ${Fault}`, string>>>;

/** What the client does is what it does; these say why nothing of ours can come to that. */
const GARBAGE = 'the client takes it for a remark; the launcher passes on nothing but an answer';
const LATE = 'the client waits no longer; the launcher ends the engine before that';

/** Every host with an adapter and a client that runs here. */
export const HOSTS: readonly HostUnderTest[] = [
  {
    host: 'claude-code',
    title: 'Claude Code',
    endsOnHalt: true,
  },
  {
    host: 'codex',
    title: 'Codex CLI',
    endsOnHalt: false,
    changedHooks: ['--dangerously-bypass-hook-trust'],
    explained: { 'launcher timed out': LATE },
  },
  {
    host: 'copilot',
    title: 'GitHub Copilot CLI',
    endsOnHalt: false,
    explained: { 'launcher garbage': GARBAGE, 'launcher timed out': LATE },
  },
  {
    host: 'gemini',
    title: 'Gemini CLI',
    endsOnHalt: true,
    explained: { 'launcher timed out': LATE },
  },
  {
    host: 'qwen',
    title: 'Qwen Code',
    endsOnHalt: true,
    explained: { 'launcher timed out': LATE },
  },
  { host: 'opencode', title: 'OpenCode', endsOnHalt: false, plugin: 'opencode-plugin.mjs' },
  { host: 'pi', title: 'pi', endsOnHalt: false, plugin: 'pi-extension.mjs' },
  {
    host: 'cline',
    title: 'Cline CLI',
    endsOnHalt: true,
    untried: { 'launcher timed out': 'the client waits 120 s, and then runs the call' },
  },
  {
    host: 'kimi',
    title: 'Kimi Code CLI',
    endsOnHalt: false,
    explained: { 'launcher timed out': LATE },
  },
];
