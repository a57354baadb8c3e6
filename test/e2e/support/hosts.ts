import type { ClientName } from './clients/pins.ts';

/** One agent host, as the suites that every host must pass have to know it. */
export interface HostUnderTest {
  /** Its name in `pactclaw install`, and of its client in the harness. */
  readonly host: ClientName;
  /** Its name in the documents. */
  readonly title: string;
  /** Whether a halt ends the client's run. Where it cannot, every further call is refused. */
  readonly endsOnHalt: boolean;
}

/** Every host with an adapter and a client that runs here. */
export const HOSTS: readonly HostUnderTest[] = [
  { host: 'claude-code', title: 'Claude Code', endsOnHalt: true },
];
