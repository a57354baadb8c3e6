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

/** The parts of a payload that differ between hosts with Claude Code's payloads. */
export interface PayloadShape {
  /** Further members of every event of a call, beside tool and arguments. */
  readonly call: (call: TriedCall) => JsonObject;
  readonly success: (call: TriedCall) => JsonObject;
  readonly failure: JsonObject;
  /** Members of other events, where the host does not write Claude Code's. */
  readonly moments?: Readonly<Partial<Record<Moment, JsonObject>>>;
}

const MOMENTS: Readonly<Partial<Record<Moment, JsonObject>>> = {
  sessionStart: { source: 'startup' },
  prompt: { prompt: 'verify' },
  beforeCompact: { trigger: 'manual', custom_instructions: '' },
  stop: { stop_hook_active: false },
  sessionEnd: { reason: 'other' },
};

/** Returns the members of a payload that belong to its moment. */
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
  /** Names of the arguments for the replaced text and for the new one. */
  readonly replace: readonly [old: string, by: string];
  /** Further arguments of an edit. */
  readonly alsoEdit?: JsonObject;
  readonly read: string;
  readonly shell: string;
  /** Further arguments of a command. */
  readonly alsoShell?: JsonObject;
  readonly undeclared: string;
  /** Prefix of PactClaw's own tools. */
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
