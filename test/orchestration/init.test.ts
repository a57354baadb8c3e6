import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseUserPolicy, parseWorkspacePolicy } from '../../src/config/parse-policy.ts';
import { DEFAULT_POLICY } from '../../src/config/policy.ts';
import { type Layout, layoutOf } from '../../src/core/layout.ts';
import { readBrain } from '../../src/orchestration/brain.ts';
import { USER_SETTINGS, WORKSPACE_SETTINGS } from '../../src/orchestration/house-settings.ts';
import { CONSTITUTION } from '../../src/orchestration/house-texts.ts';
import { initWorkspace } from '../../src/orchestration/init.ts';
import { renderMap } from '../../src/orchestration/intent-map.ts';
import { parseIntents } from '../../src/orchestration/parse-intents.ts';

let base: string;
let layout: Layout;
let userFolder: string;
beforeEach(() => {
  base = mkdtempSync(`${tmpdir()}/pactclaw-init-`);
  layout = layoutOf(`${base}/ws`);
  userFolder = `${base}/home/.pactclaw`;
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const init = (files: readonly string[] = []) =>
  initWorkspace(layout, { userFolder, files, now: '2026-11-21T10:00:00.000Z' });

function snapshot(folder: string): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) all[name] = readFileSync(`${folder}/${name}`, 'utf8');
  return all;
}

const MADE = [
  '.gitattributes',
  '.gitignore',
  'AGENT.md',
  'active_intents.yaml',
  'agent_trace.jsonl',
  'config.yaml',
  'constitution.md',
  'intent_map.md',
  'soul.md',
  'tool_receipts.log',
];

describe('a new workspace', () => {
  test('gets everything, and every part can be read', () => {
    const report = init();
    expect(readdirSync(layout.sidecar).sort()).toEqual(MADE);
    expect(report.kept).toEqual([]);
    expect(report.repaired).toEqual([]);
    expect(report.created).toEqual(expect.arrayContaining(MADE.map((name) => `.orchestration/${name}`)));
    expect(report.created).toContain(`${userFolder}/config.toml`);
    expect(readFileSync(layout.trace, 'utf8') + readFileSync(layout.receipts, 'utf8')).toBe('');
    expect(readFileSync(layout.map, 'utf8')).toBe(renderMap([]));
    expect(readBrain(layout)).toEqual({ guidelines: [], lessons: [] });
    const registry = parseIntents(readFileSync(layout.intents));
    expect(registry).toMatchObject({ problems: [], warnings: [] });
    expect(registry.intents).toMatchObject([{ id: 'INT-001', status: 'PENDING', scope: { fault: null } }]);
    expect(readFileSync(layout.intents, 'utf8')).toContain('2026-11-21');
    expect(statSync(userFolder).mode & 0o777).toBe(0o700);
    expect(statSync(`${userFolder}/config.toml`).mode & 0o777).toBe(0o600);
  });

  test('init again changes nothing', () => {
    init();
    const before = snapshot(layout.sidecar);
    const report = init(['src/a/b.ts']);
    expect(snapshot(layout.sidecar)).toEqual(before);
    expect(report).toMatchObject({ created: [], repaired: [], notes: [] });
    expect(report.kept).toHaveLength(MADE.length + 2);
  });

  test('the proposed scope holds against files that the list does not name', () => {
    mkdirSync(`${layout.root}/src/parser`, { recursive: true });
    const files = ['src/parser/a.ts', 'src/parser/b.ts'];
    for (const file of files) writeFileSync(`${layout.root}/${file}`, '');
    for (let index = 0; index < 30; index += 1) writeFileSync(`${layout.root}/src/parser/${index}.gen`, '');
    writeFileSync(`${layout.root}/package.json`, JSON.stringify({ scripts: { test: 'vitest' } }));
    const report = init([...files, 'package.json']);
    const [intent] = parseIntents(readFileSync(layout.intents)).intents;
    expect(intent?.ownedScope).toEqual(expect.arrayContaining(files));
    expect(intent?.ownedScope.join()).not.toContain('*');
    expect(intent?.acceptanceCriteria).toContain('npm test passes');
    expect(report.notes.join()).not.toContain('cannot be selected');
  });
});

describe('what is there already', () => {
  test("a human's files are never overwritten", () => {
    mkdirSync(layout.sidecar, { recursive: true });
    mkdirSync(userFolder, { recursive: true });
    const mine = [
      'AGENT.md',
      'constitution.md',
      'soul.md',
      'config.yaml',
      'intent_map.md',
      'agent_trace.jsonl',
    ];
    for (const name of mine) writeFileSync(`${layout.sidecar}/${name}`, `mine ${name}`);
    writeFileSync(`${userFolder}/config.toml`, '# mine\n');
    const report = init();
    for (const name of mine) expect(readFileSync(`${layout.sidecar}/${name}`, 'utf8')).toBe(`mine ${name}`);
    expect(readFileSync(`${userFolder}/config.toml`, 'utf8')).toBe('# mine\n');
    expect(report.repaired).toEqual(['.orchestration/tool_receipts.log']);
    expect(report.notes.join()).toContain('restore it from git');
  });

  test('a broken active_intents.yaml is kept and reported with its line', () => {
    mkdirSync(layout.sidecar, { recursive: true });
    writeFileSync(layout.intents, 'active_intents:\n  - id: [\n');
    const report = init();
    expect(readFileSync(layout.intents, 'utf8')).toBe('active_intents:\n  - id: [\n');
    expect(report.kept).toContain('.orchestration/active_intents.yaml');
    expect(report.notes.join()).toMatch(
      /active_intents\.yaml is broken at line \d+: .*; until it is corrected/,
    );
  });

  test('intents that would be refused are named', () => {
    mkdirSync(layout.sidecar, { recursive: true });
    const intent = (id: string, scope: string, status = 'PENDING') =>
      `  - {id: ${id}, name: n, status: ${status}, owned_scope: ["${scope}"], constraints: [], acceptance_criteria: []}\n`;
    writeFileSync(
      layout.intents,
      `active_intents:\n${intent('A', 'src/**')}${intent('B', 'src/b/**', 'COMPLETED')}`,
    );
    expect(init().notes).toEqual([expect.stringContaining('line 2: A cannot be selected: src/** has `**`')]);
    writeFileSync(layout.intents, 'active_intents: []\n');
    expect(init().notes).toEqual(['active_intents.yaml has no intent that an agent could select']);
  });

  test('missing lines are added to the git files, old ones stay', () => {
    mkdirSync(layout.sidecar, { recursive: true });
    writeFileSync(`${layout.sidecar}/.gitignore`, '*.bak\nstate.db*');
    const report = init();
    expect(report.repaired).toEqual(['.orchestration/.gitignore']);
    const text = readFileSync(`${layout.sidecar}/.gitignore`, 'utf8');
    expect(text.startsWith('*.bak\nstate.db*\nwriter\n')).toBe(true);
    expect(init().repaired).toEqual([]);
  });

  test('a sidecar that is a file or a link is refused', () => {
    mkdirSync(`${base}/elsewhere`);
    mkdirSync(layout.root);
    symlinkSync(`${base}/elsewhere`, layout.sidecar);
    expect(() => init()).toThrow('not a folder of its own');
    expect(readdirSync(`${base}/elsewhere`)).toEqual([]);
  });

  test('what is no regular file is left alone and named', () => {
    mkdirSync(`${layout.sidecar}/agent_trace.jsonl`, { recursive: true });
    symlinkSync('nowhere', layout.soul);
    const report = init();
    expect(report.notes).toEqual(
      expect.arrayContaining([
        expect.stringContaining('agent_trace.jsonl is not a regular file'),
        '.orchestration/soul.md is a link to nothing; it was left as it is',
      ]),
    );
  });

  test('a user folder that cannot be made is no obstacle', () => {
    writeFileSync(`${base}/home`, '');
    const report = init();
    expect(report.notes.join()).toContain('defaults hold without it');
    expect(readdirSync(layout.sidecar).sort()).toEqual(MADE);
  });
});

describe('shipped texts', () => {
  test('the constitution states the ten rules that the spec cites', () => {
    for (const rule of ['Invariant 2', 'Invariant 4', 'Invariant 7', 'Invariant 8', 'Invariant 9'])
      expect(CONSTITUTION).toContain(`**${rule},`);
    for (const rule of ['Law 3.1.5', 'Law 3.1.6', 'Law 3.2.1', 'Law 4.5', 'Law 4.6'])
      expect(CONSTITUTION).toContain(`**${rule},`);
  });

  test('config.yaml changes nothing, and its comments are the defaults', () => {
    expect(parseWorkspacePolicy(WORKSPACE_SETTINGS)).toEqual({ values: {}, problems: [] });
    const bare = WORKSPACE_SETTINGS.split('\n').slice(2).join('\n').replace(/^# /gm, '');
    const { forbiddenPaths: _, logFile: __, ...defaults } = DEFAULT_POLICY;
    expect(parseWorkspacePolicy(bare)).toEqual({ values: defaults, problems: [] });
  });

  test('config.toml has the defaults that the engine reads', () => {
    expect(parseUserPolicy(USER_SETTINGS)).toEqual({
      values: { forbiddenPaths: DEFAULT_POLICY.forbiddenPaths },
      problems: [],
    });
  });
});
