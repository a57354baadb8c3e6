import path from 'node:path';

/** Programs of agent hosts, by the name they are started with. */
const CLIENTS: Readonly<Record<string, string>> = {
  claude: 'claude-code',
  codex: 'codex',
  gemini: 'gemini',
  qwen: 'qwen',
  copilot: 'copilot',
  opencode: 'opencode',
  pi: 'pi',
  cline: 'cline',
  'cursor-agent': 'cursor',
  droid: 'droid',
  kimi: 'kimi',
};

/** Programs that only start another one, which an argument names. */
const STARTERS = new Set(['npx', 'pnpx', 'bunx', 'node', 'bun', 'env', 'nohup', 'nice', 'time', 'sudo']);

function nameOf(word: string): string {
  return path.basename(word).replace(/\.(?:c|m)?js$|\.exe$|\.cmd$/, '');
}

/** The agent host that a command line starts, or null when it is none that PactClaw knows. */
export function hostOf(command: readonly string[]): string | null {
  for (const word of command) {
    const name = nameOf(word);
    if (Object.hasOwn(CLIENTS, name)) return CLIENTS[name] ?? null;
    if (!STARTERS.has(name) && !word.startsWith('-') && !/^\w+=/.test(word)) return null;
  }
  return null;
}

/** Variable in which a client looks for its model's address, where it has one; by host. */
export const MODEL_VARIABLE: Readonly<Record<string, 'ANTHROPIC_BASE_URL' | 'OPENAI_BASE_URL'>> = {
  'claude-code': 'ANTHROPIC_BASE_URL',
  qwen: 'OPENAI_BASE_URL',
};
