import { messageOf, PactError } from '../core/errors.ts';
import type { HookEngine } from '../hooks/engine.ts';
import type { HookReply, HostAdapter, HostEvent } from './adapter.ts';
import { jsonReply } from './shared/encode/reply.ts';
import { settling } from './shared/settling.ts';

/** True for an event that the host fires before it does something: by its name a hook may be able to refuse it. */
function comesBefore(event: string): boolean {
  return /^(?:before|pre)/i.test(event);
}

function isKnown({ events }: HostAdapter, event: string): boolean {
  return events === null || events.includes(event);
}

/** The refusal of an event that has no handler but may ask whether something may run. */
function unknownEvent({ host }: HostAdapter, event: string): PactError {
  return new PactError(
    'INVALID_INPUT',
    `PactClaw does not know the event ${JSON.stringify(event.slice(0, 80))} of this host`,
    `Remove the hook of this event, or run \`pactclaw install ${host}\` again.`,
  );
}

/** Every failure of ours as a refusal that the host honours; for events that decide nothing, a failed exit. */
export function failure(adapter: HostAdapter, event: string | null, error: unknown): HookReply {
  const remedy =
    error instanceof PactError
      ? error.remedy
      : `A human can find out more with \`pactclaw fsck\` and \`pactclaw verify ${adapter.host}\`.`;
  const mayRefuse = event === null || (comesBefore(event) && !isKnown(adapter, event));
  return adapter.failed(
    mayRefuse ? null : event,
    `Fail-Safe Default: PactClaw could not judge this call: ${messageOf(error)}\n${remedy}`,
  );
}

/**
 * Answers one event of a host, whichever process does it: the hook's own or the resident engine. `expected` is the
 * event that the registration names; another one is refused. An event without a handler is refused if its name says that
 * it comes before something, and otherwise answered with nothing. Never throws.
 */
export async function answerEvent(
  adapter: HostAdapter,
  expected: string | null,
  read: () => Promise<Uint8Array>,
  engineFor: (input: HostEvent) => HookEngine,
): Promise<HookReply> {
  let event = expected;
  try {
    const input = await adapter.decode(await read(), expected);
    if (expected !== null && expected !== input.event) {
      // Either may be the event that the host waits on.
      if (comesBefore(input.event)) event = null;
      throw new PactError(
        'INVALID_INPUT',
        `the host sent ${input.event} to the hook of ${expected}`,
        `Run \`pactclaw install ${adapter.host}\` again.`,
      );
    }
    event = input.event;
    if (isKnown(adapter, input.event)) {
      const engine = engineFor(input);
      const recorded = adapter.endings?.(input);
      return await adapter.handle(input, recorded === null ? engine : settling(engine, recorded));
    }
    if (comesBefore(input.event)) throw unknownEvent(adapter, input.event);
    return jsonReply({});
  } catch (error) {
    return failure(adapter, event, error);
  }
}
