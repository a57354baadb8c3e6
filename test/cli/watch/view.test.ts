import fc from 'fast-check';
import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { digest } from '../../../src/cli/watch/digest.ts';
import { toText } from '../../../src/cli/watch/line.ts';
import type { Screen } from '../../../src/cli/watch/screen.ts';
import { widthOf } from '../../../src/cli/watch/text.ts';
import { type Size, view } from '../../../src/cli/watch/view.ts';
import {
  anyReceipt,
  begun,
  FAIL_SAFE,
  hostile,
  intent,
  look,
  NOW,
  receipt,
  refusal,
  screen,
  session,
  snapshot,
} from './support.ts';

const page = (shown: Screen, size: Size = { columns: 100, rows: null }) =>
  view(shown, size)
    .map((line) => toText(line))
    .join('\n');
const lineWith = (text: string, word: string) => text.split('\n').find((line) => line.includes(word)) ?? '';

describe('what the screen tells', () => {
  test('a session: state, intent, host, when it was seen, how old it is, its last call', () => {
    const start = receipt({
      phase: 'event',
      tool: 'pactclaw.session_start',
      timestamp: '2026-11-21T11:48:00Z',
    });
    const shown = page(screen(begun({ receipts: [start, receipt({ target: 'src/a.ts' })] })));
    expect(lineWith(shown, 'claude-code')).toMatch(
      /^action +INT-001 +claude-code +3s +12m +s1 +Write src\/a\.ts…$/,
    );
  });

  test.each([
    ['REQUEST', 'request'],
    ['REASONING_INTERCEPT', 'intercept'],
    ['HALTED', 'halted'],
  ] as const)('%s is told as %s', (state, word) => {
    expect(page(screen(begun({ snapshot: snapshot({ sessions: [session({ state })] }) })))).toMatch(
      new RegExp(`^${word} `, 'm'),
    );
  });

  test('an intent: status, use of its limits with bars, why it is blocked', () => {
    const blocked = intent({ id: 'INT-002', status: 'BLOCKED', reason: 'budget: its 40 turns', turns: 41 });
    const shown = page(screen(begun({ snapshot: snapshot({ intents: [intent(), blocked] }) })));
    expect(lineWith(shown, 'Build the app')).toMatch(
      /^INT-001 +IN_PROGRESS +██░░░░░░ 12\/40 +██████░░ 150k\/200k +Build the app$/,
    );
    expect(lineWith(shown, 'INT-002')).toMatch(
      /BLOCKED +████████ 41\/40 .*budget: its 40 turns · Build the app$/,
    );
  });

  test('a refusal: rule, tool, target inside the workspace, why, and what would end it; the newest first', () => {
    const first = refusal('state', { timestamp: '2026-11-21T11:00:00Z' });
    const second = refusal('scope', { target: '/w/app/README.md', intent_id: 'INT-001' });
    const shown = page(screen(begun({ receipts: [first, second] })));
    expect(shown).toMatch(
      / {2}scope {2}Write README\.md {2}\(INT-001\)\n {2}refused for scope\n {2}→ the agent works inside the scope/,
    );
    expect(shown.indexOf('refused for scope')).toBeLessThan(shown.indexOf('refused for state'));
    expect(shown).toContain('2 calls, 2 refused');
  });

  test('fail-safe with the line that is at fault, estop, damage and a notice', () => {
    const known = begun({ snapshot: snapshot({ failSafe: FAIL_SAFE, intents: [] }), damaged: 2 });
    const told = screen(known, {
      estop: '/home/u/.pactclaw/ESTOP',
      notice: '--on-trip failed (exit code 3)',
    });
    const shown = page(told, { columns: 130, rows: null });
    expect(shown).toContain(`\nFAIL-SAFE ${FAIL_SAFE.reason} (.orchestration/active_intents.yaml:5)\n`);
    expect(shown).toContain('→ Correct the file by hand.');
    expect(shown).toContain('ESTOP /home/u/.pactclaw/ESTOP stops every agent');
    expect(shown).toContain('2 damaged');
    expect(shown.split('\n').at(-1)).toBe('--on-trip failed (exit code 3)');
  });

  test('several workspaces in one table, told apart', () => {
    const other = begun({
      workspace: '/w/lib',
      snapshot: snapshot({ sessions: [session({ id: 's9', host: 'codex' })], failSafe: FAIL_SAFE }),
    });
    const places = [...screen(begun()).places, { name: 'lib', root: '/w/lib', known: other }];
    const shown = page({ ...screen(begun()), places });
    expect(shown).toContain('2 workspaces');
    expect(lineWith(shown, 'codex')).toContain('lib');
    expect(lineWith(shown, 'claude-code')).toContain('app');
    expect(shown).toContain('FAIL-SAFE lib: ');
  });

  test('sessions of yesterday are left out; those at work are counted: not halted, not quiet, not at rest', () => {
    const sessions = [
      session(),
      session({ id: 'quiet', updatedAt: '2026-11-21T10:00:00Z' }),
      session({ id: 'halted', state: 'HALTED' }),
      session({ id: 'resting' }),
      session({ id: 'gone', updatedAt: '2026-11-19T10:00:00Z' }),
    ];
    const receipts = [receipt({ phase: 'event', tool: 'pactclaw.stop', conversation_id: 'resting' })];
    const shown = page(screen(begun({ receipts, snapshot: snapshot({ sessions }) })));
    expect(shown).toContain('SESSIONS 4, 1 at work');
    expect(shown).not.toContain('gone');
  });
});

describe('small terminals', () => {
  const many = begun({
    receipts: Array.from({ length: 12 }, (_, at) =>
      refusal('scope', { target: `src/some/deeper/folder/file-${at}.ts`, intent_id: 'INT-001' }),
    ),
    snapshot: snapshot({
      sessions: Array.from({ length: 9 }, (_, at) => session({ id: `session-${at}` })),
      intents: Array.from({ length: 7 }, (_, at) => intent({ id: `INT-00${at}` })),
    }),
  });

  test('40 columns keep state, intent, use and rule', () => {
    const shown = page(screen(many), { columns: 40, rows: null });
    expect(shown).toMatch(/^STATE +INTENT .*SEEN/m);
    expect(shown).toMatch(/^INT-000 +IN_PROGRESS +12\/40 +150k\/200k$/m);
    expect(shown).toMatch(/^\d\d:\d\d:\d\d {2}scope {2}Write src\//m);
  });

  test('every part keeps its heading and says what it leaves out', () => {
    const lines = page(screen(many), { columns: 80, rows: 14 }).split('\n');
    expect(lines).toHaveLength(14);
    expect(lines.join('\n')).toMatch(
      /^SESSIONS 9, 9 at work, 7 not shown$[\s\S]*^INTENTS 7, 5 not shown$[\s\S]*^REFUSALS 12, 11 not shown$/m,
    );
  });

  test('what one part does not need the others get', () => {
    const few = begun({
      snapshot: snapshot({ intents: Array.from({ length: 30 }, (_, at) => intent({ id: `INT-${at}` })) }),
    });
    const lines = page(screen(few), { columns: 80, rows: 24 }).split('\n');
    expect(lines).toHaveLength(24);
    expect(lines.filter((line) => line.startsWith('INT-')).length).toBeGreaterThanOrEqual(14);
  });

  test('a single row still tells something', () => {
    expect(page(screen(many), { columns: 20, rows: 1 })).toMatch(/^PactClaw/);
  });
});

const anyScreen = fc
  .record({
    receipts: fc.array(anyReceipt, { maxLength: 12 }),
    names: fc.array(hostile, { maxLength: 6 }),
    text: hostile,
    notice: fc.option(hostile),
    estop: fc.option(hostile),
    isFailing: fc.boolean(),
    isTwo: fc.boolean(),
  })
  .map(({ receipts, names, text, notice, estop, isFailing, isTwo }): Screen => {
    const sessions = names.map((id) =>
      session({ id, host: text, intentId: id, updatedAt: '2026-11-21T11:59:57Z' }),
    );
    const intents = names.map((name) =>
      intent({ id: name, name, reason: text, turns: text.length, status: 'BLOCKED' }),
    );
    const failSafe = isFailing ? { ...FAIL_SAFE, reason: text, remedy: text } : null;
    const { known } = digest(begun(), look({ receipts, snapshot: { failSafe, sessions, intents } }));
    const place = { name: text, root: `/w/${text}`, known };
    return { nowMs: NOW, notice, estop, places: isTwo ? [place, place] : [place] };
  });

describe('whatever agents choose as text', () => {
  test('no line is wider than the terminal, there are not more than rows, and none acts on the terminal', () => {
    fc.assert(
      fc.property(
        anyScreen,
        fc.integer({ min: 1, max: 130 }),
        fc.option(fc.integer({ min: 1, max: 60 })),
        (shown, columns, rows) => {
          const lines = view(shown, { columns, rows });
          if (rows !== null) expect(lines.length).toBeLessThanOrEqual(rows);
          for (const line of lines) {
            const text = toText(line);
            expect(widthOf(text)).toBeLessThanOrEqual(columns);
            expect(text).not.toMatch(
              /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/,
            );
            expect(text.isWellFormed()).toBe(true);
            const coloured = toText(line, pc.createColors(true));
            expect(coloured.replaceAll(/\u001b\[\d+m/g, '').trimEnd()).toBe(text);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
