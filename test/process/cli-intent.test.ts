import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { INTENTS, Sandbox } from '../cli/support.ts';

const FILE = '.orchestration/active_intents.yaml';
let box: Sandbox;
beforeEach(() => {
  box = new Sandbox().init();
});
afterEach(() => box[Symbol.dispose]());

const add = (...more: string[]) =>
  box.run(['intent', 'add', '--name', 'Fix login', '--scope', 'src/auth/**', ...more]);

describe('intent add', () => {
  test('appends an item and leaves every byte', () => {
    const args = ['--constraint', 'No "new" deps: none', '--accept', 'it works', '--max-turns', '7'];
    expect(add(...args)).toMatchObject({ code: 0, out: expect.stringContaining('added INT-002') });
    const text = box.read(FILE);
    const at = text.indexOf('\n  - id: INT-002');
    const end = text.indexOf('\nowner: me');
    expect(text.slice(0, at) + text.slice(end)).toBe(INTENTS);
    expect(box.json('intent', 'show', 'INT-002')).toMatchObject({
      status: 'PENDING',
      constraints: ['No "new" deps: none'],
      limits: { max_turns: 7, max_tokens: 200_000 },
    });
    expect(box.handshake('INT-002')).toBe(true);
  });

  test.each([
    [['--id', 'INT-001'], 'an intent INT-001 already (line 3)'],
    [['--id', 'a b'], 'id may hold'],
    [['--scope', 'src/**'], 'Scope too broad: src/**'],
    [['--scope', '../x'], 'leaves its folder'],
    [['--scope', '.orchestration/x'], 'names .orchestration'],
  ])('refuses %j and changes nothing', (args, words) => {
    const { code, err } = add(...args);
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(box.read(FILE)).toBe(INTENTS);
  });

  test('refuses 21 files', () => {
    for (let at = 0; at < 21; at += 1) box.write(`src/auth/f${at}.ts`, 'x\n');
    expect(add()).toMatchObject({ code: 1, err: expect.stringContaining('Scope covers 21 files (max 20)') });
    expect(add('--scope', '!src/auth/f0.ts').code).toBe(0);
  });
});

describe('intent complete', () => {
  test('closes the intent for everybody, with a receipt', () => {
    box.handshake();
    expect(box.run(['intent', 'complete', 'INT-001'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('(was IN_PROGRESS)'),
    });
    expect(box.read(FILE)).toBe(INTENTS.replace('IN_PROGRESS', 'COMPLETED'));
    expect(box.agentWrites('src/app/main.ts', 'no\n')).toBe(false);
    const tools = box.json<{ tool: string; intent_id?: string }[]>('receipt', 'list');
    expect(tools).toContainEqual(
      expect.objectContaining({ tool: 'pactclaw.intent_completed', intent_id: 'INT-001' }),
    );
    expect(box.json('intent', 'complete', 'INT-001')).toMatchObject({ changed: false });
    expect(box.run(['fsck']).code).toBe(0);
  });

  test('an unknown intent is an error', () => {
    expect(box.run(['intent', 'complete', 'INT-404'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There are: INT-001.'),
    });
  });
});

test.each([
  ['CLAUDECODE', ['intent', 'complete', 'INT-001']],
  ['GEMINI_CLI', ['intent', 'add', '--name', 'x', '--scope', 'src/auth/**']],
  ['CODEX_SANDBOX', ['estop', '--clear']],
])("in an agent's shell (%s) %j refuses and says why", (variable, args) => {
  const { code, err } = box.run(args, { env: { [variable]: '1' } });
  expect(code).toBe(1);
  expect(err).toMatch(/is for humans only, and this is the shell of an agent/);
  expect(err).toContain(variable);
  expect(box.read(FILE)).toBe(INTENTS);
});

describe('intent show, list and validate', () => {
  test('show has use, limits, locks and the last mutations (H-85, H-95)', () => {
    box.handshake();
    box.agentWrites('src/app/main.ts', 'export const three = 3;\n');
    expect(box.json('intent', 'show', 'INT-001')).toMatchObject({
      // Nothing tells of the response that made the write, so that the call is a turn.
      usage: { turns: 1, tokens: 0 },
      limits: { max_turns: 40, max_tokens: 200_000, from: { max_turns: 'intent', max_tokens: 'settings' } },
      scope_files: 1,
      locks: [{ path: 'src/app/main.ts' }],
      history: [{ path: 'src/app/main.ts', mutation: 'modify', rationale: 'the request is about the app' }],
    });
    expect(box.run(['intent', 'list']).out).toMatch(/INT-001 +IN_PROGRESS +1\/40/);
  });

  test('validate lists every problem and warning with its line', () => {
    box.write(
      FILE,
      `active_intents:
  - id: A
    title: Aliased
    status: active
    owned_scope: ['src/**']
  - id: B
    name: Closed and broad
    status: COMPLETED
    owned_scope: ['*']
    constraints: []
    acceptance_criteria: []
`,
    );
    const { code, out } = box.run(['intent', 'validate']);
    expect(code).toBe(1);
    expect(out).toMatch(/active_intents\.yaml:2: error: A: Scope too broad: src\/\*\* has/);
    expect(out).toMatch(/:2: warning: A: title is read as name/);
    expect(out).toMatch(/:6: warning: B: Scope too broad: \*/);
    box.write(FILE, 'active_intents:\n  - id: A\n  - id: B\n    status: SLEEPING\n');
    const { remarks } = box.json<{ remarks: { line: number; level: string }[] }>('intent', 'validate');
    expect(new Set(remarks.filter(({ level }) => level === 'error').map(({ line }) => line))).toEqual(
      new Set([2, 3]),
    );
  });
});

describe('check', () => {
  const check = (...args: string[]) => box.run(['check', ...args]);

  test('shows every rule and records nothing', () => {
    const before = box.read('.orchestration/tool_receipts.log');
    const { code, out } = check(
      '--tool',
      'write_to_file',
      '--input',
      '{"path":"src/app/new.ts"}',
      '--intent',
      'INT-001',
    );
    expect(code).toBe(0);
    expect(out).toMatch(/10 +pass +ScopeEnforcementHook/);
    expect(box.read('.orchestration/tool_receipts.log')).toBe(before);
    expect(box.json('status')).toMatchObject({ sessions: [] });
  });

  test.each([
    ['file_write', '{"path":"README.md"}', 'ScopeEnforcementHook'],
    ['Write', '{"file_path":"README.md"}', 'ScopeEnforcementHook'],
    ['bash', '{"command":"echo x > .orchestration/active_intents.yaml"}', 'SelfProtectionHook'],
    ['read_file', '{"path":"/etc/passwd"}', 'SecurityPolicyHook'],
    ['mcp__other__thing', '{"path":"README.md"}', 'ScopeEnforcementHook'],
  ])('%s %s is refused by %s: exit 3', (tool, input, hook) => {
    const { code, out } = check('--tool', tool, '--input', input, '--intent', 'INT-001', '--json');
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ verdict: 'deny', hook });
  });

  test('a session is judged in its own state; input comes from a file or standard input', () => {
    box.handshake();
    box.write('call.json', '{"path":"src/app/new.ts"}');
    expect(check('--tool', 'file_write', '--input', '@call.json', '--session', 'session-1').code).toBe(0);
    expect(check('--tool', 'file_write', '--input', '@call.json', '--session', 'other').code).toBe(3);
    const args = ['check', '--tool', 'file_write', '--input', '-', '--session', 'session-1', '--cwd', 'src'];
    expect(box.run(args, { input: '{"path":"app/new.ts"}' }).code).toBe(0);
    expect(box.run(args, { input: 'nonsense' }).code).toBe(2);
    expect(check('--tool', 'file_write').code).toBe(2);
  });

  test('in fail-safe the fail-safe rule speaks', () => {
    box.write('.orchestration/tool_receipts.log', 'nonsense\n');
    const { code, out } = check('--tool', 'Read', '--input', '{"file_path":"a"}', '--json');
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ hook: 'FailSafeHook' });
  });
});

describe('estop (R-138…R-143)', () => {
  test('stops every call, and clearing it lets them go on', () => {
    box.handshake();
    expect(box.run(['estop']).code).toBe(0);
    expect(box.agentWrites('src/app/main.ts', 'no\n')).toBe(false);
    expect(box.run(['estop']).out).toContain('was set already');
    expect(box.json('status')).toMatchObject({ estop: `${box.home}/.pactclaw/ESTOP` });
    expect(box.run(['estop', '--clear']).code).toBe(0);
    expect(box.agentWrites('src/app/main.ts', 'export const yes = 1;\n')).toBe(true);
    const tools = box.json<{ tool: string }[]>('receipt', 'list').map(({ tool }) => tool);
    expect(tools).toEqual(expect.arrayContaining(['pactclaw.estop_triggered', 'pactclaw.estop_cleared']));
  });

  test('needs no workspace', () => {
    expect(box.run(['estop'], { cwd: box.home }).code).toBe(0);
    expect(box.json('status')).toMatchObject({ estop: expect.any(String) });
    expect(box.run(['estop', '--clear'], { cwd: box.home }).code).toBe(0);
  });
});
