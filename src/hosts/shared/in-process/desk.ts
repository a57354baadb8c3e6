import { isObject } from '../../../core/json.ts';
import type { GenericAnswer } from '../../generic/contract.ts';
import { ask, type Outgoing, type PluginWiring } from './bridge.ts';

/** Responses that wait to be counted; a session that makes more without any event is counted as having made these. */
const MAX_WAITING = 10_000;

/** One session as the plugin keeps it between events. */
interface Session {
  started: boolean;
  context: string | null;
  responses: unknown[];
}

/** Where an event comes from: the session that is governed, and the subagent's own where it is one. */
export interface Place {
  readonly session: string;
  readonly agent: string | null;
  readonly cwd: string;
}

/** An event to be sent. `begins`: the hook may have to begin the session; `counts`: it counts the use of the model. */
interface Event extends Pick<Outgoing, 'hook' | 'input' | 'output'> {
  readonly begins?: boolean;
  readonly counts?: boolean;
}

/** The plugin's side of a conversation with the hook: sends events, keeps what the next ones need. */
export interface Desk {
  send(place: Place, event: Event): Promise<GenericAnswer>;
  /** Sends in order, after what was sent so before; for events that the host does not wait for. */
  later(place: Place, event: Event): void;
  /** Resolves when everything sent by {@link later} has been answered. */
  settled(): Promise<void>;
  /** Text for the agent in its present state; null before the first answer. */
  context(session: string): string | null;
  /** A response of the model that the next event that counts reports. */
  responded(session: string, response: object): void;
}

export function createDesk(host: string, wiring: PluginWiring): Desk {
  const sessions = new Map<string, Session>();
  let queue: Promise<void> = Promise.resolve();
  const sessionOf = (id: string): Session => {
    const known = sessions.get(id) ?? { started: false, context: null, responses: [] };
    sessions.set(id, known);
    return known;
  };
  const send = async (place: Place, { begins, counts, ...event }: Event): Promise<GenericAnswer> => {
    const session = sessionOf(place.session);
    const first = begins === true && !session.started;
    const responses = counts === true ? session.responses.splice(0) : [];
    const answer = await ask(host, wiring, {
      ...place,
      ...event,
      ...(first ? { first } : {}),
      ...(responses.length > 0 ? { responses } : {}),
    });
    // One whose beginning was not recorded begins with the next event.
    if (first && answer.verdict !== 'deny') session.started = true;
    if (answer.context !== null) session.context = answer.context;
    return answer;
  };
  return {
    send,
    later(place, event) {
      queue = queue.then(() => send(place, event)).then(() => undefined);
    },
    settled: () => queue,
    context: (id) => sessions.get(id)?.context ?? null,
    responded(id, response) {
      const { responses } = sessionOf(id);
      if (isObject(response) && responses.length < MAX_WAITING) responses.push(response);
    },
  };
}
