import path from 'node:path';
import { clean } from '../output.ts';
import type { Trip } from './news.ts';
import { describe } from './say-news.ts';

const ESC = '\u001b';
const BEL = '\u0007';
/** If there are more at once, only their number is reported. */
const MAX_AT_ONCE = 3;
const MAX_TEXT = 250;

/** Rings the terminal's bell. */
export const RING = BEL;

function sequence(text: string, env: Readonly<Record<string, string | undefined>>): string {
  const shown = clean(text).slice(0, MAX_TEXT).toWellFormed();
  const knows777 = /^(?:rxvt|foot)/.test(env.TERM ?? '') || env.VTE_VERSION !== undefined;
  return knows777
    ? `${ESC}]777;notify;PactClaw;${shown.replaceAll(';', ',')}${BEL}`
    : `${ESC}]9;PactClaw: ${shown}${BEL}`;
}

/**
 * The control sequences that ask the terminal for notifications on the desktop: OSC 777 (rxvt-unicode's) where the
 * environment tells of a terminal that knows that one, else OSC 9 (iTerm2's), which more terminals know.
 */
export function desktopSequences(
  trips: readonly Trip[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const texts = trips.slice(0, MAX_AT_ONCE).map((trip) => {
    const where = trip.workspace === null ? '' : `${path.basename(trip.workspace)}: `;
    return `${where}${describe(trip)}`;
  });
  const left = trips.length - texts.length;
  return [...texts, ...(left > 0 ? [`and ${left} more trips`] : [])].map((text) => sequence(text, env));
}
