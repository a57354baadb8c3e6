/**
 * What each host does when a hook of ours breaks: its real client, a session that is governed until then, and a call
 * that a working hook would have let pass. The outcome is the table in docs/hosts.md; `npm run docs:failures` writes it.
 */
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PINS } from './support/clients/pins.ts';
import { FAULTS } from './support/faults.ts';
import { HOSTS } from './support/hosts.ts';
import { levelsOf, type Outcomes, trialsOf, tryHost } from './support/trials.ts';

const seen = new Map<string, Outcomes>();

/** Two clients at a time: each of them waits more than it works. Those with the most trials go first. */
beforeAll(async () => {
  const waiting = HOSTS.toSorted((a, b) => levelsOf(b).length - levelsOf(a).length);
  const work = async () => {
    for (let host = waiting.shift(); host !== undefined; host = waiting.shift())
      seen.set(host.host, await tryHost(host));
  };
  await Promise.all([work(), work()]);
}, 600_000);

describe.each(HOSTS.map((one) => [one.title, one] as const))('%s', (_, host) => {
  it.each(levelsOf(host).flatMap(trialsOf))(
    '$trial: the call does not run, or it is said why',
    ({ trial }) => {
      expect(seen.get(host.host)!.get(trial) === 'ran').toBe(host.explained?.[trial] !== undefined);
    },
  );
});

const DOCS = path.resolve(import.meta.dirname, '../../docs/hosts.md');
const MARKS = ['<!-- failures: written by the end-to-end suite -->', '<!-- /failures -->'] as const;

/** The block of docs/hosts.md. */
function table(): string {
  const rows = HOSTS.flatMap((host) =>
    levelsOf(host).map((level, at) => {
      const cells = trialsOf(level).map(({ trial }) => {
        const outcome = seen.get(host.host)!.get(trial) ?? `not tried: ${host.untried?.[trial]}`;
        return outcome === 'ran' ? `**ran**: ${host.explained?.[trial] ?? 'unexplained'}` : outcome;
      });
      const title = at === 0 ? `${host.title} ${PINS[host.host].version}` : '';
      return `| ${title} | ${level} | ${cells.join(' | ')} |`;
    }),
  );
  const head = `| Client | What breaks | ${FAULTS.join(' | ')} |\n|---|---|${FAULTS.map(() => '---|').join('')}`;
  return [MARKS[0], head, ...rows, MARKS[1]].join('\n');
}

it('docs/hosts.md shows what was seen: npm run docs:failures', () => {
  const text = fs.readFileSync(DOCS, 'utf8');
  const [begin, end] = MARKS.map((mark) => text.indexOf(mark)) as [number, number];
  expect(begin).toBeGreaterThan(0);
  const shown = text.slice(begin, end + MARKS[1].length);
  if (process.env.PACTCLAW_WRITE_DOCS === '1')
    fs.writeFileSync(
      DOCS,
      text.replace(shown, () => table()),
    );
  else expect(shown).toBe(table());
});
