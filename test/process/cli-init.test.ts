import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Sandbox } from '../cli/support.ts';

test('init makes a workspace that governs, and a second one keeps it', () => {
  using box = new Sandbox();
  box.exec('git', ['init', '--quiet']);
  box.write('.gitignore', 'secret/\n');
  for (const name of ['a', 'b', 'c']) box.write(`src/auth/${name}.ts`, `export const ${name} = 1;\n`);
  box.write('secret/key.ts', 'x\n');
  const { code, out, err } = box.run(['init']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('made      .orchestration/active_intents.yaml');
  expect(out).toMatch(/1\. pactclaw install claude-code[\s\S]*2\. edit [\s\S]*3\. start/);
  for (const name of ['state.db', 'writer', 'shadow/index', 'agent_trace.jsonl'])
    expect(existsSync(box.file(`.orchestration/${name}`)), name).toBe(true);
  expect(box.read('.orchestration/active_intents.yaml')).not.toContain('secret');
  expect(box.run(['intent', 'validate']).code).toBe(0);
  expect(box.json('status')).toMatchObject({
    workspace: box.root,
    fail_safe: null,
    estop: null,
    sessions: [],
  });

  const before = box.read('.orchestration/active_intents.yaml');
  const again = box.json<{ created: string[]; troubles: unknown[] }>('init');
  expect(again).toMatchObject({ created: [], troubles: [] });
  expect(box.read('.orchestration/active_intents.yaml')).toBe(before);
});

test('init works where git does not track anything, and in a folder that it makes', () => {
  using box = new Sandbox();
  box.write('lib/core/a.py', 'x = 1\n');
  box.write('lib/core/b.py', 'y = 1\n');
  expect(box.run(['init']).code).toBe(0);
  expect(box.read('.orchestration/active_intents.yaml')).toContain('lib');
  expect(box.run(['init', '--workspace', 'elsewhere']).code).toBe(0);
  expect(existsSync(box.file('elsewhere/.orchestration/state.db'))).toBe(true);
});

test('a damaged log is named together with the way out', () => {
  using box = new Sandbox().init();
  writeFileSync(box.file('.orchestration/tool_receipts.log'), 'not a receipt\n');
  const { code, err } = box.run(['init']);
  expect(code).toBe(1);
  expect(err).toContain('.orchestration/tool_receipts.log:1');
  expect(err).toContain('pactclaw fsck --repair');
});

test('status is 1 in fail-safe and says why', () => {
  using box = new Sandbox().init();
  box.write('.orchestration/active_intents.yaml', 'active_intents: [');
  const { code, out } = box.run(['status']);
  expect(code).toBe(1);
  expect(out).toContain('FAIL-SAFE');
  expect(out).toContain('.orchestration/active_intents.yaml:1');
  expect(box.json('status')).toMatchObject({
    fail_safe: { file: '.orchestration/active_intents.yaml', line: 1 },
  });
});
