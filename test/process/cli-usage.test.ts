import { copyFileSync, mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, Sandbox } from '../cli/support.ts';

let box: Sandbox;
beforeAll(() => {
  box = new Sandbox().init();
});
afterAll(() => box[Symbol.dispose]());

describe('help and wrong use', () => {
  test('--version and --help answer on standard output', () => {
    expect(box.run(['--version'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      err: '',
    });
    const { code, out } = box.run(['--help']);
    expect(code).toBe(0);
    for (const name of ['init', 'status', 'check', 'estop', 'why', 'fsck', 'hook', 'mcp', 'demo', 'install'])
      expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
  });

  test('the help of a hook is a page, not a hook', () => {
    const { code, out } = box.run(['hook', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('--event <name>');
  });

  test.each([
    [['nope'], "unknown command 'nope'"],
    [['status', '--nope'], "unknown option '--nope'"],
    [['intent', 'show'], "missing required argument 'id'"],
    [['why', 'main.ts'], 'main.ts is not FILE:LINE'],
    [['receipt', 'list', '--since', 'yesterday'], 'Give an ISO 8601 time'],
  ])('%j is wrong use: exit 2, told on standard error', (args, words) => {
    const { code, out, err } = box.run(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(words);
    expect(err).toMatch(/^pactclaw: /);
  });

  test('with --json an error is an object on standard output too', () => {
    const { code, out, err } = box.run(['intent', 'show', 'INT-404', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      error: { code: 'NOT_FOUND', message: expect.stringContaining('INT-404') },
    });
    expect(err).toContain('pactclaw: no intent INT-404');
    expect(JSON.parse(box.run(['trace', 'lst', '--json']).out)).toMatchObject({
      error: { code: 'INVALID_INPUT' },
    });
  });

  test('outside a workspace the remedy is named', () => {
    const { code, err } = box.run(['status'], { cwd: box.home });
    expect(code).toBe(1);
    expect(err).toContain('pactclaw init');
    expect(err).not.toMatch(/^\s+at /m);
  });

  test('an error names its file and line', () => {
    using own = new Sandbox().init();
    own.write(
      '.orchestration/active_intents.yaml',
      'active_intents:\n  - id: A\n    name: x\n    status: SLEEPING\n',
    );
    const { code, err } = own.run(['intent', 'list']);
    expect(code).toBe(1);
    expect(err).toMatch(/^pactclaw: .*\(\.orchestration\/active_intents\.yaml:2\)\n/);
  });
});

describe('surroundings', () => {
  test('no colour where there is no terminal, even when a build server asks', () => {
    const { out } = box.run(['status'], { env: { CI: '1', TERM: 'xterm-256color' } });
    expect(out).not.toContain('\u001b');
  });

  test('a reader that goes away ends it quietly', () => {
    const { code, err } = box.exec('sh', [
      '-c',
      `"${process.execPath}" "${BIN}" hooks list --json | head -n 1`,
    ]);
    expect([code, err]).toEqual([0, '']);
  });

  test('PACTCLAW_LOG=json gives one JSON object a line on standard error (R-132)', () => {
    const { out, err } = box.run(['estop', '--json'], { env: { PACTCLAW_LOG: 'json' } });
    const events = err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; level: string });
    expect(events.map(({ event }) => event)).toEqual(['startup', 'estop_triggered']);
    expect(JSON.parse(out)).toMatchObject({ estop: true });
    expect(box.run(['estop', '--clear'], { env: { PACTCLAW_LOG: 'info' } }).err).toMatch(
      /^\S+ warn estop_cleared receipt=/m,
    );
  });

  test('a checkout that is not built says so, and its hook refuses', () => {
    mkdirSync(`${box.home}/bin`);
    copyFileSync(BIN, `${box.home}/bin/pactclaw.mjs`);
    const run = (arg: string) => box.exec(process.execPath, [`${box.home}/bin/pactclaw.mjs`, arg]);
    expect(run('status')).toMatchObject({ code: 1, err: expect.stringContaining('npm run build') });
    expect(run('hook')).toMatchObject({ code: 2, err: expect.stringContaining('npm run build') });
  });

  test.each(['bash', 'zsh', 'fish'])('%s completion knows every command', (shell) => {
    const { code, out } = box.run(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['provenance', 'rebuild', '--violations'])
      expect(out).toContain(word.replace(/^--(?=.*)/, shell === 'fish' ? '' : '--'));
  });

  test('bash completes with it', () => {
    const { out } = box.run(['completion', 'bash']);
    const script = `${out}\nCOMP_WORDS=(pactclaw receipt list --vi); COMP_CWORD=3; _pactclaw; echo "\${COMPREPLY[@]}"
COMP_WORDS=(pactclaw re); COMP_CWORD=1; _pactclaw; echo "\${COMPREPLY[@]}"`;
    expect(box.exec('bash', ['-c', script]).out).toBe('--violations\nreceipt\n');
  });
});
