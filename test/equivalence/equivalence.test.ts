/**
 * One corpus of calls through every door: the same verdict, by the same rule, or a reason in
 * `differences.ts`. `npm run equivalence` prints the same report, `npm run docs:equivalence` writes it into docs/.
 */
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { VERIFIERS } from '../hosts/support/all-hosts.ts';
import { PATHS } from './corpus.ts';
import type { Door } from './ground.ts';
import { markdown } from './page.ts';
import { equivalence, type Report } from './report.ts';
import { STATES } from './states.ts';

let report: Report;
beforeAll(async () => {
  report = await equivalence();
}, 600_000);

describe('the corpus', () => {
  test('has at least 500 calls: every tool in every state, every path with every state', () => {
    expect(report.calls).toBeGreaterThanOrEqual(500);
    expect(Object.keys(report.byState)).toEqual(STATES.map(({ name }) => name));
    expect(Object.keys(report.byTool).sort()).toEqual(
      ['delete', 'edit', 'fetch', 'handshake', 'read', 'shell', 'undeclared', 'write'].sort(),
    );
    for (const about of Object.keys(PATHS)) expect(report.byAbout[about]).toBeGreaterThan(STATES.length);
  });

  test('is refused by every rule that a single call can meet, and partly allowed', () => {
    expect(Object.keys(report.byRule).sort()).toEqual([
      'emergency-stop',
      'fail-safe',
      'handshake',
      'intent-status',
      'none',
      'ownership',
      'scope',
      'security-policy',
      'self-protection',
      'state',
    ]);
  });
});

describe('the doors', () => {
  test('are the hooks of every host, the generic one, the resident engine, both proxies, the API and the command line', () => {
    expect(report.doors.map(({ door }) => door)).toEqual([
      ...VERIFIERS.map(({ host }) => `hooks of ${host}`),
      'generic hook',
      'resident engine (claude-code)',
      'proxy of a tool server',
      'proxy of a model: anthropic, streamed (claude-code)',
      'proxy of a model: responses, streamed (codex)',
      'proxy of a model: gemini, streamed (gemini)',
      'proxy of a model: chat, streamed (qwen)',
      'proxy of a model: chat, whole (copilot)',
      'proxy of a model: chat, streamed (unknown client)',
      'TypeScript API',
      'pactclaw check',
    ]);
    for (const { asked } of report.doors) expect(asked).toBeGreaterThan(500);
  });

  test('give the same verdict by the same rule, or it is said why', () => {
    expect(report.differences.filter(({ reason }) => reason === null).slice(0, 8)).toEqual([]);
    for (const { reason, got, want } of report.differences)
      if (reason !== null && want.verdict !== 'allow') expect(got.verdict).not.toBe('allow');
  });
});

describe('a door that goes its own way is noticed', () => {
  const through = (name: string, answer: Door['answer']) =>
    equivalence({
      doors: () => [{ name, answer }],
      states: STATES.filter((at) => at.name === 'acting for INT-001'),
    });

  test.each([
    ['lets everything pass', { verdict: 'allow', rule: null }],
    ['refuses everything', { verdict: 'deny', rule: 'scope' }],
    ['refuses by another rule', { verdict: 'deny', rule: 'unread' }],
  ])('one that %s', async (name, answer) => {
    const { doors, differences } = await through(name, async () => answer);
    expect(doors[0]?.unreasoned).toBeGreaterThan(20);
    expect(differences.every(({ reason }) => reason === null)).toBe(true);
  });

  test('one that breaks', async () => {
    const { differences } = await through('broken', async () => {
      throw new Error('gone');
    });
    expect(differences[0]).toMatchObject({ got: { verdict: 'failed', rule: 'gone' }, reason: null });
  });

  test('no reason excuses a call that is let through where it must not', async () => {
    const { differences } = await through('hooks of gemini', async () => ({ verdict: 'allow', rule: null }));
    expect(differences.length).toBeGreaterThan(20);
    const excused = differences.filter(({ want, reason }) => want.verdict !== 'allow' && reason !== null);
    expect(excused).toEqual([]);
  });
});

const PAGE = path.resolve(import.meta.dirname, '../../docs/equivalence.md');
const MARKS = ['<!-- report: written by the suite -->', '<!-- /report -->'] as const;

test('docs/equivalence.md shows what was seen: npm run docs:equivalence', () => {
  const text = fs.readFileSync(PAGE, 'utf8');
  const [begin, end] = MARKS.map((mark) => text.indexOf(mark)) as [number, number];
  expect(begin).toBeGreaterThan(0);
  const shown = text.slice(begin + MARKS[0].length, end);
  const made = `\n${markdown(report)}`;
  if (process.env.PACTCLAW_WRITE_DOCS === '1')
    fs.writeFileSync(PAGE, `${text.slice(0, begin + MARKS[0].length)}${made}${text.slice(end)}`);
  else expect(shown).toBe(made);
});
