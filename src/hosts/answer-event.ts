import { messageOf, PactError } from '../core/errors.ts';
import type { HookEngine } from '../hooks/engine.ts';
import type { HookReply, HostAdapter, HostEvent } from './adapter.ts';

/** Every failure of ours as a refusal that the host honours; for events that decide nothing, a failed exit. */
export function failure(adapter: HostAdapter, event: string | null, error: unknown): HookReply {
  const remedy =
    error instanceof PactError
      ? error.remedy
      : `A human can find out more with \`pactclaw fsck\` and \`pactclaw verify ${adapter.host}\`.`;
  return adapter.failed(
    event,
    `Fail-Safe Default: PactClaw could not judge this call: ${messageOf(error)}\n${remedy}`,
  );
}

/**
 * Answers one event of a host, whichever process does it: the hook's own or the resident engine. `expected` is the
 * event that the registration names; another one is refused. Never throws.
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
    if (expected !== null && expected !== input.event)
      throw new PactError(
        'INVALID_INPUT',
        `the host sent ${input.event} to the hook of ${expected}`,
        `Run \`pactclaw install ${adapter.host}\` again.`,
      );
    event = input.event;
    return await adapter.handle(input, engineFor(input));
  } catch (error) {
    return failure(adapter, event, error);
  }
}
