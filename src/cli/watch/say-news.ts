import path from 'node:path';
import { clean, shorten } from '../output.ts';
import type { News } from './news.ts';

const KINDS: Readonly<Record<string, string>> = {
  breaker: 'circuit breaker',
  budget: 'budget',
  violation: 'violation',
  fail_safe: 'fail-safe',
  estop: 'emergency stop',
};

/** A piece of news in words, for one line; text of agents in it is made harmless. */
export function describe(news: News): string {
  switch (news.event) {
    case 'session_began':
      return shorten(`session ${news.session_id} began (${news.host ?? 'unknown host'})`, 200);
    case 'handshake':
      return shorten(`session ${news.session_id} works for ${news.intent_id ?? '?'}`, 200);
    case 'refusal':
    case 'violation': {
      const what = [news.tool, news.target === news.tool ? null : news.target].filter(
        (part) => part !== null,
      );
      return shorten(`${news.event} (${news.rule ?? news.kind}) ${what.join(' ')}: ${news.message}`, 400);
    }
    case 'trip':
      return shorten(`TRIP (${KINDS[news.kind] ?? news.kind}) ${news.message}; ${news.unblock}`, 400);
    case 'intent_status': {
      const why = news.reason === null ? '' : ` (${news.reason})`;
      return shorten(`intent ${news.intent_id}: ${news.from ?? 'new'} → ${news.to ?? 'gone'}${why}`, 300);
    }
    case 'fail_safe':
      return news.on ? shorten(`fail-safe: ${news.reason ?? ''}`, 300) : 'fail-safe is over';
    case 'estop':
      return news.on ? 'emergency stop set' : 'emergency stop cleared';
    case 'damaged':
      return `${news.lines} damaged lines in the receipt log; see \`pactclaw receipt verify\``;
    case 'notice':
      return clean(news.message);
  }
}

/** News as a line of its own, with its time and its workspace. Nothing in it acts on a terminal. */
export function lineOf(news: News): string {
  const where = news.workspace === null ? '' : `${path.basename(news.workspace)}  `;
  return clean(`${news.at}  ${where}${describe(news)}`);
}
