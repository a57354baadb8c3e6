import type { JsonObject } from '../../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../../core/words.ts';
import type { Moment } from '../../adapter.ts';
import type { HostTool, Trial, TriedCall } from './verifier.ts';

/** The events of Claude Code, whose names several hosts took over. */
export const CLAUDE_EVENTS = {
  sessionStart: 'SessionStart',
  prompt: 'UserPromptSubmit',
  beforeTool: 'PreToolUse',
  afterTool: 'PostToolUse',
  afterFailure: 'PostToolUseFailure',
  beforeCompact: 'PreCompact',
  stop: 'Stop',
  sessionEnd: 'SessionEnd',
} as const;

/** What a host of that family writes beside what all of its payloads have. */
export interface PayloadShape {
  /** About every event of a call, beside its tool and arguments. */
  readonly call: (call: TriedCall) => JsonObject;
  readonly success: (call: TriedCall) => JsonObject;
  readonly failure: JsonObject;
  /** Instead of the family's, where the host writes something else. */
  readonly moments?: Readonly<Partial<Record<Moment, JsonObject>>>;
}

const MOMENTS: Readonly<Partial<Record<Moment, JsonObject>>> = {
  sessionStart: { source: 'startup' },
  prompt: { prompt: 'verify' },
  beforeCompact: { trigger: 'manual', custom_instructions: '' },
  stop: { stop_hook_active: false },
  sessionEnd: { reason: 'other' },
};

/** What a payload tells of its moment beside what all payloads of the host have. */
export function momentOf(shape: PayloadShape, moment: Moment, call: TriedCall | null): JsonObject {
  if (call === null) return { ...MOMENTS[moment], ...shape.moments?.[moment] };
  const common = { tool_name: call.name, tool_input: call.args, ...shape.call(call) };
  if (moment === 'beforeTool') return common;
  return { ...common, ...(moment === 'afterFailure' ? shape.failure : shape.success(call)) };
}

/** Names that a host gives its tools and their arguments. */
export interface ToolNames {
  readonly path: string;
  readonly write: string;
  readonly edit: string;
  /** Arguments that name what is replaced, and by what. */
  readonly replace: readonly [old: string, by: string];
  /** What an edit carries beside that. */
  readonly alsoEdit?: JsonObject;
  readonly read: string;
  readonly shell: string;
  /** What a command carries beside its text. */
  readonly alsoShell?: JsonObject;
  readonly undeclared: string;
  /** Before the names of PactClaw's own tools. */
  readonly own: string;
}

/** The host's tool for each trial. */
export function toolsOf(names: ToolNames): (trial: Trial) => HostTool {
  const { path, replace } = names;
  return (trial) => {
    switch (trial.does) {
      case 'write':
        return { name: names.write, args: { [path]: trial.file, content: trial.content } };
      case 'edit':
        return {
          name: names.edit,
          args: { [path]: trial.file, ...names.alsoEdit, [replace[0]]: 'a', [replace[1]]: 'b' },
        };
      case 'read':
        return { name: names.read, args: { [path]: trial.file } };
      case 'shell':
        return { name: names.shell, args: { command: trial.command, ...names.alsoShell } };
      case 'undeclared':
        return { name: names.undeclared, args: { [path]: trial.file } };
      case 'handshake':
        return { name: `${names.own}${HANDSHAKE_TOOL}`, args: { intent_id: trial.intentId } };
    }
  };
}
