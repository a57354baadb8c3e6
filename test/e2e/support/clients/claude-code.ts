/** Claude Code, `claude -p`. */
import type { Client } from './client.ts';

/** The keys of the client's result object that tests look at. */
export interface ClaudeJson {
  subtype?: string;
  is_error?: boolean;
  result?: string;
  session_id?: string;
  num_turns?: number;
  stop_reason?: string | null;
  terminal_reason?: string;
  permission_denials?: { tool_name: string; tool_use_id: string; tool_input: unknown }[];
  usage?: Record<string, unknown>;
  [key: string]: unknown;
}

/** The client's result object; undefined when its output is not JSON. */
export function claudeJson(stdout: string): ClaudeJson | undefined {
  try {
    const value: unknown = JSON.parse(stdout);
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === 'object' && last !== null ? (last as ClaudeJson) : undefined;
  } catch {
    return undefined;
  }
}

export const claudeCode: Client = {
  name: 'claude-code',
  files: () => ({}),
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'sk-ant-fake',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  }),
  args: ({ prompt, resume }) => [
    ...['-p', prompt, '--output-format', 'json', '--permission-mode', 'acceptEdits'],
    ...(resume === undefined ? [] : ['--resume', resume]),
    ...['--allowedTools', 'Bash', 'Write', 'Edit'],
  ],
  read: (stdout) => {
    const json = claudeJson(stdout);
    return { answer: json?.result, session: json?.session_id };
  },
};
