import { judgeAsked, requestOf } from '../../../src/cli/rehearsal.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { Ask } from '../corpus.ts';
import { type Door, type Ground, UNREAD } from '../ground.ts';

/** The tool's canonical name and its arguments, as a human writes them; null where there is no such tool. */
function asked(ask: Ask): [string, JsonObject] | null {
  switch (ask.does) {
    case 'write':
      return ['file_write', { path: ask.file, content: ask.content }];
    case 'edit':
      return ['patch', { path: ask.file }];
    case 'read':
      return ['file_read', { path: ask.file }];
    case 'shell':
      return ['shell', { command: ask.command }];
    case 'undeclared':
      return ['odd_tool', { path: ask.file }];
    case 'fetch':
      return ['http', { url: ask.url }];
    case 'handshake':
      return ['select_active_intent', { intent_id: ask.intentId }];
    case 'delete':
      return null;
  }
}

/** `pactclaw check`, as if the session were the one that it names. */
export function checkDoor(ground: Ground): Door {
  return {
    name: 'pactclaw check',
    async answer(ask, at) {
      const named = asked(ask);
      if (named === null) return null;
      let request: ReturnType<typeof requestOf>;
      try {
        request = requestOf(...named, ground.root, ground.sessionAt(at));
      } catch {
        return UNREAD;
      }
      const { decision } = await judgeAsked(ground.workspace, request, null);
      return { verdict: decision.verdict, rule: decision.refusedBy };
    },
  };
}
