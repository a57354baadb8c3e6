import type { TokenUse } from './shapes.ts';

/** Texts longer than this are not cut into tokens: it would hold up everybody else. */
const MAX_EXACT = 100_000;
const CHARS_PER_TOKEN = 3.6;

async function tokensOf(text: string): Promise<number> {
  if (text.length > MAX_EXACT) return Math.ceil(text.length / CHARS_PER_TOKEN);
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  return countTokens(text, { disallowedSpecial: new Set() });
}

/** Tokens of a response whose provider reports none. What a cache may have spared cannot be known and counts in full. */
export async function estimateUse(sent: string, received: string): Promise<TokenUse> {
  return { input: await tokensOf(sent), output: await tokensOf(received) };
}
