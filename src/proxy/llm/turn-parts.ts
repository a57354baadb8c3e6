import type { ReportedUsage } from '../../hooks/requests.ts';
import type { RequestView } from '../../models/shapes.ts';
import type { Framing } from './framing.ts';
import type { Judge } from './judge.ts';
import type { Governor, LlmSettings, Upstream } from './ports.ts';
import type { ReadBody } from './request-body.ts';
import type { RestingSessions } from './rest.ts';
import type { Protocol } from './wire.ts';

/** What every turn works with. */
export interface TurnParts {
  readonly governor: Governor;
  readonly judge: Judge;
  readonly upstream: Upstream;
  readonly settings: LlmSettings;
  readonly resting: RestingSessions;
}

/** One request of a client, read. */
export interface TurnRequest {
  readonly protocol: Protocol;
  readonly view: RequestView;
  readonly read: ReadBody;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** How the client wants a stream framed; null leaves server-sent events as they are. */
  readonly framing: Framing | null;
}

/** No use of the model. */
export const NO_USE: ReportedUsage = { turns: 0, tokens: 0, model: null };
