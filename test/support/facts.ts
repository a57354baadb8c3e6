import { compileScope } from '../../src/core/breadth.ts';
import { digestOf } from '../../src/core/digest.ts';
import type { Facts, ResolvedTarget, SessionFacts } from '../../src/core/facts.ts';
import type { Intent } from '../../src/core/intent.ts';
import type { TargetRole, ToolCall } from '../../src/core/tool-call.ts';
import { HANDSHAKE_TOOL } from '../../src/core/words.ts';

export function intent(more: Partial<Intent> = {}, globs: readonly string[] = ['src/components/**']): Intent {
  return {
    id: 'INT-001',
    name: 'Components',
    status: 'IN_PROGRESS',
    ownedScope: globs,
    constraints: ['keep it small'],
    acceptanceCriteria: ['it works'],
    budget: {},
    line: 2,
    scope: compileScope(globs),
    ...more,
  };
}

export function call(more: Partial<ToolCall> = {}): ToolCall {
  return {
    callId: 'call-1',
    sessionId: 'session-1',
    tool: 'file_write',
    hostTool: 'Write',
    kind: 'write',
    mutating: true,
    declared: true,
    targets: [],
    args: {},
    identity: digestOf({ tool: more.tool ?? 'file_write', args: more.args ?? {} }),
    cwd: '/ws',
    ...more,
  };
}

export const handshakeCall = call({
  tool: HANDSHAKE_TOOL,
  hostTool: 'mcp__pactclaw__select_active_intent',
  kind: 'control',
  mutating: false,
});

export function target(
  relative: string | null,
  role: TargetRole = 'write',
  more: Partial<ResolvedTarget> = {},
): ResolvedTarget {
  const absolute = relative === null ? '/elsewhere/x.ts' : `/ws/${relative}`;
  return {
    asked: relative ?? absolute,
    role,
    relative,
    absolute,
    protectedAs: null,
    forbiddenBy: null,
    problem: null,
    owner: null,
    ...more,
  };
}

export function session(more: Partial<SessionFacts> = {}): SessionFacts {
  return {
    id: 'session-1',
    state: 'CONTEXTUALIZED_ACTION',
    intentId: 'INT-001',
    pendingId: null,
    repeats: 1,
    haltReason: null,
    ...more,
  };
}

/** Facts of a call that every rule allows: a write inside the scope of the active intent. */
export function facts(more: Partial<Facts> = {}): Facts {
  return {
    call: call(),
    failSafe: null,
    estop: null,
    session: session(),
    intent: intent(),
    selectable: [{ id: 'INT-001', name: 'Components' }],
    handshake: null,
    usage: { turns: 1, tokens: 100 },
    limits: { maxTurns: 50, maxTokens: 200_000, maxIdenticalCalls: 3, maxScopeFiles: 20 },
    targets: [target('src/components/button.ts')],
    scopeFilesAfter: null,
    shell: null,
    policy: { allowBackground: false },
    ...more,
  };
}

/** Facts of a selection that every rule allows. */
export function handshakeFacts(more: Partial<Facts> = {}): Facts {
  return facts({
    call: handshakeCall,
    session: session({ state: 'REASONING_INTERCEPT', intentId: null }),
    intent: null,
    handshake: { asked: 'INT-001', intent: intent(), scopeFiles: 3 },
    targets: [],
    ...more,
  });
}

/** The same facts, one of which cannot be read: a rule that looks at it throws. */
export function unreadable(from: Facts, key: keyof Facts): Facts {
  return new Proxy(from, {
    get(object, property) {
      if (property === key) throw new Error(`${key} cannot be read`);
      return Reflect.get(object, property);
    },
  });
}
