import { rehearse } from '../../../src/hooks/attempt/rehearse.ts';
import { parseMessage } from '../../../src/hosts/generic/contract.ts';
import { toToolCall } from '../../../src/hosts/generic/decode.ts';
import type { Ask } from '../corpus.ts';
import type { Answer, Ground } from '../ground.ts';
import type { Standpoint } from '../states.ts';

/** A call as the generic contract describes it. */
export function callFor(ask: Ask): object {
  switch (ask.does) {
    case 'shell':
      return { tool: 'shell', kind: 'execute', command: ask.command, args: { command: ask.command } };
    case 'undeclared':
      return { tool: 'odd_tool', args: { file_path: ask.file } };
    case 'handshake':
      return { tool: 'select_active_intent', args: { intent_id: ask.intentId } };
    case 'fetch':
      return { tool: 'fetch', kind: 'network', args: { url: ask.url } };
    default: {
      const role = ask.does === 'edit' ? 'write' : ask.does;
      return { tool: ask.does, kind: role, targets: [{ path: ask.file, role }], args: { path: ask.file } };
    }
  }
}

/** A whole message of the contract about a call. */
export function messageFor(ask: Ask, sessionId: string, cwd: string): object {
  return {
    contract: 'pactclaw.hook/1',
    event: 'pre_tool_use',
    session_id: sessionId,
    cwd,
    call: { id: `${sessionId}-call`, ...callFor(ask) },
  };
}

/** What every door's answer is held against: the plainest form of the call, judged without a trace. */
export async function reference(ground: Ground, ask: Ask, at: Standpoint): Promise<Answer> {
  const sessionId = ground.sessionAt(at);
  const parsed = parseMessage(messageFor(ask, sessionId, ground.root));
  if ('problem' in parsed) throw new Error(parsed.problem);
  const call = toToolCall(parsed.message);
  if (!call) throw new Error('the message names no call');
  const request = { sessionId, host: 'generic', transcript: null, call };
  const { decision } = await rehearse(ground.workspace, request, null);
  return { verdict: decision.verdict, rule: decision.refusedBy };
}
