import path from 'node:path';

export const HANDSHAKE = 'mcp__pactclaw__select_active_intent';
type Phase = 'PreToolUse' | 'PostToolUse';

/** One tool event as Claude Code sends it. */
export function toolEvent(
  phase: Phase,
  place: { readonly root: string; readonly session: string; readonly call: string },
  tool: string,
  input: object,
): Record<string, unknown> {
  return {
    session_id: place.session,
    transcript_path: '',
    cwd: place.root,
    permission_mode: 'default',
    hook_event_name: phase,
    tool_name: tool,
    tool_input: input,
    tool_use_id: place.call,
    ...(phase === 'PostToolUse' ? { tool_response: { type: 'update', ok: true } } : {}),
  };
}

/** Twenty-odd lines that are never the same twice, so that no call repeats another. */
export function contentOf(turn: number | string): string {
  const lines = Array.from({ length: 24 }, (_, at) => `export const value${at} = compute(${at}, '${turn}');`);
  return `${lines.join('\n')}\n`;
}

/** Events of one session in one workspace. */
export class Agent {
  constructor(
    readonly root: string,
    readonly session: string,
  ) {}

  event(phase: Phase, call: string, tool: string, input: object): Record<string, unknown> {
    return toolEvent(phase, { root: this.root, session: this.session, call }, tool, input);
  }

  select(phase: Phase, call: string, intent = 'INT-001'): Record<string, unknown> {
    return this.event(phase, call, HANDSHAKE, { intent_id: intent, reasoning: 'It owns these files.' });
  }

  write(phase: Phase, call: string, file: string, content: string): Record<string, unknown> {
    return this.event(phase, call, 'Write', { file_path: path.join(this.root, file), content });
  }

  bash(phase: Phase, call: string, command: string): Record<string, unknown> {
    return this.event(phase, call, 'Bash', { command, description: 'Runs it' });
  }
}
