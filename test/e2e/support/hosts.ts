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
  /** Failures of ours after which the client runs a call all the same, and why that cannot be helped. */
  readonly explained?: Readonly<Partial<Record<`${Level} ${Fault}`, string>>>;
}

/** Every host with an adapter and a client that runs here. */
export const HOSTS: readonly HostUnderTest[] = [
  {
    host: 'claude-code',
    title: 'Claude Code',
    endsOnHalt: true,
    explained: {
      'launcher garbage':
        'the client takes what is no JSON for a remark. Our launcher passes on nothing but an answer, so that only another program in its place can do this',
    },
  },
];
