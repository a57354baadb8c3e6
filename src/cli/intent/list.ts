import { limitsOf } from '../../hooks/attempt/gather.ts';
import type { CommonOptions } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { columns, paint, say, sayJson, shorten } from '../output.ts';
import { withState } from '../state.ts';

/** `pactclaw intent list`. */
export function list(options: CommonOptions): Promise<void> {
  return withState(openWorkspace(options.workspace), ({ intents, store, policy }) => {
    const rows = intents.map((intent) => {
      const { maxTurns, maxTokens } = limitsOf(intent, policy);
      return {
        intent,
        usage: store.usage(intent.id),
        limits: { max_turns: maxTurns, max_tokens: maxTokens },
      };
    });
    if (options.json)
      return sayJson(
        rows.map(({ intent, usage, limits }) => ({
          id: intent.id,
          name: intent.name,
          status: intent.status,
          owned_scope: intent.ownedScope,
          usage,
          limits,
          line: intent.line,
        })),
      );
    if (rows.length === 0) return say('no intents yet: pactclaw intent add');
    const cells = rows.map(({ intent, usage, limits }) => [
      intent.id,
      intent.scope.fault ? paint.red(`${intent.status} (broad)`) : intent.status,
      `${usage.turns}/${limits.max_turns}`,
      shorten(intent.ownedScope.join(' '), 40),
      shorten(intent.name, 80),
    ]);
    say(columns([['INTENT', 'STATUS', 'TURNS', 'SCOPE', 'NAME'], ...cells]));
  });
}
