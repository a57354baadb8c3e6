import path from 'node:path';
import { FOOTPRINTS } from '../../core/footprints/index.ts';
import { RUNNERS } from '../../core/runners.ts';

/** Programs that only start another one, which an argument names. */
const STARTERS = new Set([...RUNNERS, 'env', 'nohup', 'nice', 'time', 'sudo']);

function nameOf(word: string): string {
  return path.basename(word).replace(/\.(?:c|m)?js$|\.exe$|\.cmd$/, '');
}

/** The agent host that a command line starts, or null when it is none that PactClaw knows. */
export function hostOf(command: readonly string[]): string | null {
  for (const word of command) {
    const name = nameOf(word);
    const known = FOOTPRINTS.find(({ programs }) => programs.includes(name));
    if (known) return known.host;
    if (!STARTERS.has(name) && !word.startsWith('-') && !/^\w+=/.test(word)) return null;
  }
  return null;
}

/** Variable in which a client looks for its model's address, where it has one; by host. */
export const MODEL_VARIABLE: Readonly<Record<string, 'ANTHROPIC_BASE_URL' | 'OPENAI_BASE_URL'>> = {
  'claude-code': 'ANTHROPIC_BASE_URL',
  qwen: 'OPENAI_BASE_URL',
};
