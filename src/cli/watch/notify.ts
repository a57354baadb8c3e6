import { clean } from '../output.ts';
import type { Trip } from './news.ts';
import { describe } from './say-news.ts';

const ESC = '\u001b';
const BEL = '\u0007';

/**
 * The control sequence that asks the terminal for a notification on the desktop. OSC 777 (rxvt-unicode's) where the
 * environment tells of a terminal that knows that one only; else OSC 9 (iTerm2's), which more terminals know.
 */
export function desktopSequence(trip: Trip, env: Readonly<Record<string, string | undefined>>): string {
  const text = clean(describe(trip)).slice(0, 250).toWellFormed();
  const knows777 = /^(?:rxvt|foot)/.test(env.TERM ?? '') || env.VTE_VERSION !== undefined;
  return knows777
    ? `${ESC}]777;notify;PactClaw;${text.replaceAll(';', ',')}${BEL}`
    : `${ESC}]9;PactClaw: ${text}${BEL}`;
}

export const RING = BEL;
