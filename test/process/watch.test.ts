import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Sandbox } from '../cli/support.ts';
import { onTerminal, Watching } from './support/watching.ts';

const YAML = '.orchestration/active_intents.yaml';
const LEAVE = '\u001b[?25h\u001b[?1049l';

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox().init();
});
afterEach(() => box[Symbol.dispose]());

/** The circuit breaker trips at the fourth. */
function loop(session = 'session-1'): void {
  for (let at = 0; at < 4; at += 1) box.call('Bash', { command: 'ls' }, undefined, session);
}

function estop(...args: string[]): void {
  mkdirSync(path.join(box.home, '.pactclaw'), { recursive: true });
  expect(box.run(['estop', ...args]).code).toBe(0);
}

/** What the human's and the engine's files hold. SQLite's own files beside the database come and go with readers. */
function stateOf(): Record<string, string> {
  const folder = box.file('.orchestration');
  const files = readdirSync(folder).filter(
    (name) => statSync(path.join(folder, name)).isFile() && !/-(wal|shm)$/.test(name),
  );
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(path.join(folder, name)))
        .digest('hex'),
    ]),
  );
}

describe('--once', () => {
  test('prints the view and ends with 0, having changed nothing', () => {
    box.event('SessionStart', { source: 'startup' });
    box.handshake();
    box.agentWrites('src/app/main.ts', 'two\n');
    expect(box.agentWrites('README.md', 'no\n')).toBe(false);
    const before = stateOf();
    const { code, out, err } = box.run(['watch', '--once']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^action +INT-001 +claude-code +\d+s +\d+s +session-1 +Write README\.md refused$/m);
    expect(out).toMatch(/^INT-001 +IN_PROGRESS +[█░]{8} \d+\/40 +[█░]{8} 0\/200k +Build the app$/m);
    expect(out).toContain('Governance Violation: README.md is outside the owned_scope of Intent INT-001');
    expect(out).toContain('→ the agent works inside the scope');
    expect(out).not.toContain('\u001b');
    expect(stateOf()).toEqual(before);
  });

  test('with --json one line tells the same', () => {
    box.handshake();
    loop();
    const { code, out } = box.run(['watch', '--once', '--json']);
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, 1]);
    expect(JSON.parse(out)).toMatchObject({
      event: 'state',
      estop: null,
      workspaces: [
        {
          workspace: box.root,
          fail_safe: null,
          sessions: [
            { session_id: 'session-1', state: 'HALTED', last_call: { tool: 'Bash', status: 'denied' } },
          ],
          intents: [{ intent_id: 'INT-001', status: 'BLOCKED', max_turns: 40 }],
          refusals: [{ rule: 'loop-breaker', session_id: 'session-1' }],
        },
      ],
    });
  });

  test('keeps to the width that it is told', () => {
    box.agentWrites('README.md', 'no\n');
    const { out } = box.run(['watch', '--once'], { env: { COLUMNS: '40' } });
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  });

  test('a registry that cannot be read is shown as the line that it is', () => {
    box.write(YAML, box.read(YAML).replace('IN_PROGRESS', 'SOMETHING'));
    const { code, out } = box.run(['watch', '--once']);
    expect(code).toBe(0);
    expect(out.replaceAll('\n', ' ')).toMatch(
      /FAIL-SAFE orchestration state corrupted: INT-001: status must be one of .* \(\.orchestration\/active_intents\.yaml:\d+\)/,
    );
  });

  test('where there is no workspace: an error that says what to do, and exit code 1', () => {
    rmSync(box.file('.orchestration'), { recursive: true });
    for (const args of [['watch', '--once'], ['watch'], ['watch', box.root, '--json']]) {
      const { code, err } = box.run(args);
      expect({ args, code }).toEqual({ args, code: 1 });
      expect(err).toMatch(/^pactclaw: no workspace .*\.orchestration\n.*`pactclaw init`/);
    }
  });

  test('several workspaces, named apart', () => {
    using other = new Sandbox().init();
    const { out } = box.run(['watch', '--once', other.root, path.join(box.root, 'src')]);
    expect(out).toContain('2 workspaces');
    expect(out).toMatch(/^INTENT +IN +STATUS/m);
    expect(out.match(/Build the app$/gm)).toHaveLength(2);
  });
});

describe('--json', () => {
  test('tells of a session, its handshake, a refusal, the trip and the status that follows, each once', async () => {
    await using watching = new Watching(box, ['--json']);
    await watching.until(() => watching.told('state').length === 1, 'the state');
    box.event('SessionStart', { source: 'startup' });
    box.handshake();
    box.agentWrites('README.md', 'no\n');
    loop();
    await watching.until(() => watching.told('intent_status').length > 0, 'the status');
    expect(watching.told('session_began')).toMatchObject([
      { session_id: 'session-1', host: 'claude-code', workspace: box.root },
    ]);
    expect(watching.told('handshake')).toMatchObject([{ session_id: 'session-1', intent_id: 'INT-001' }]);
    expect(watching.told('refusal')).toMatchObject([
      { kind: 'scope', rule: 'scope', tool: 'Write', unblock: expect.stringContaining('widen owned_scope') },
      { kind: 'loop', rule: 'loop-breaker', tool: 'Bash' },
    ]);
    expect(watching.told('trip')).toMatchObject([
      {
        kind: 'breaker',
        session_id: 'session-1',
        intent_id: 'INT-001',
        message: expect.stringContaining('Circuit Breaker'),
      },
    ]);
    expect(watching.told('intent_status')).toMatchObject([
      { intent_id: 'INT-001', from: 'IN_PROGRESS', to: 'BLOCKED' },
    ]);
    expect(await watching.end()).toBe(0);
  });

  test('a spent budget, and a change outside the scope that was undone, are trips', async () => {
    box.write(
      YAML,
      box.read(YAML).replace(/budget:[^\n]*\n(?: {6}[^\n]*\n)*/, 'budget: {max_tokens: 500}\n'),
    );
    const transcript = path.join(box.home, 'transcript.jsonl');
    const message = { id: 'msg_1', model: 'm', content: [], usage: { input_tokens: 600, output_tokens: 0 } };
    await using watching = new Watching(box, ['--json']);
    await watching.until(() => watching.told('state').length === 1, 'the state');
    box.handshake();
    appendFileSync(transcript, `${JSON.stringify({ type: 'assistant', message })}\n`);
    const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'call-x' };
    box.event('PreToolUse', { ...call, transcript_path: transcript });
    await watching.until(() => watching.told('trip').length === 1, 'the budget');
    expect(watching.told('trip')).toMatchObject([{ kind: 'budget', rule: 'budget', intent_id: 'INT-001' }]);

    box.write(
      YAML,
      box
        .read(YAML)
        .replace(/BLOCKED.*/, 'IN_PROGRESS')
        .replace(/\n.*blocked_reason:.*/, ''),
    );
    box.handshake();
    box.call('Bash', { command: 'node build.js' }, () => box.write('outside.txt', 'x'));
    expect(existsSync(box.file('outside.txt'))).toBe(false);
    await watching.until(() => watching.told('trip').length === 2, 'the violation');
    expect(watching.told('violation')).toMatchObject([
      { rule: 'reconcile', target: 'outside.txt', kind: 'scope' },
    ]);
    expect(watching.told('trip')[1]).toMatchObject({
      kind: 'violation',
      unblock: expect.stringContaining('a human reviews'),
    });
  });

  test('a reader that has gone away ends it at the next change', async () => {
    await using watching = new Watching(box, ['--json']);
    await watching.until(() => watching.told('state').length === 1, 'the state');
    watching.leave();
    box.agentWrites('README.md', 'no\n');
    expect(await watching.ended).toBe(0);
  });

  test('survives a broken registry, the folder going away and coming back, and the emergency stop', async () => {
    await using watching = new Watching(box, ['--json']);
    await watching.until(() => watching.told('state').length === 1, 'the state');
    const whole = box.read(YAML);
    box.write(YAML, 'active_intents: [');
    await watching.until(() => watching.told('fail_safe').length === 1, 'the fail-safe');
    box.write(YAML, whole);
    await watching.until(() => watching.told('fail_safe').length === 2, 'its end');
    renameSync(box.file('.orchestration'), box.file('away'));
    await watching.until(() => watching.told('fail_safe').length === 3, 'the missing folder');
    expect(existsSync(box.file('.orchestration'))).toBe(false);
    renameSync(box.file('away'), box.file('.orchestration'));
    await watching.until(() => watching.told('fail_safe').length === 4, 'its return');
    estop();
    await watching.until(() => watching.told('estop').length === 1, 'the stop');
    estop('--clear');
    await watching.until(() => watching.told('estop').length === 2, 'its end');
    expect(watching.told('fail_safe').map(({ on }) => on)).toEqual([true, false, true, false]);
    expect(watching.told('trip').map(({ kind }) => kind)).toEqual(['fail_safe', 'fail_safe', 'estop']);
    box.agentWrites('README.md', 'no\n');
    await watching.until(() => watching.told('refusal').length === 1, 'a refusal after all that');
  });

  test('what an agent chose as a name cannot act on the terminal', async () => {
    await using watching = new Watching(box, ['--json']);
    await watching.until(() => watching.told('state').length === 1, 'the state');
    box.handshake();
    const name = 'docs/\u001b[2J\u009b31m\u202egpj.md';
    box.call('Write', { file_path: box.file(name), content: 'x' });
    await watching.until(() => watching.told('refusal').length === 1, 'the refusal');
    expect(watching.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(watching.told('refusal')[0]?.target).toContain('\u009b31m');
    const { out } = box.run(['watch', '--once']);
    expect(out).toContain('docs/\\u{1b}[2J\\u{9b}31m\\u{202e}gpj.md');
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

test('without a terminal and without --json: the view, then a line for each change', async () => {
  await using watching = new Watching(box, []);
  await watching.until(() => watching.out.includes('REFUSALS 0'), 'the view');
  box.handshake();
  loop();
  await watching.until(() => watching.out.includes('TRIP (circuit breaker) '), 'the trip');
  expect(watching.out).toMatch(
    /^\S+Z {2}repo {2}refusal \(loop-breaker\) Bash: Circuit Breaker: loop detected/m,
  );
  expect(await watching.end('SIGINT')).toBe(0);
});

describe('--on-trip', () => {
  const facts = () => box.file('facts.jsonl');
  const lines = () => (existsSync(facts()) ? readFileSync(facts(), 'utf8').split('\n').slice(0, -1) : []);

  test('runs the command once per trip, with the facts on standard input', async () => {
    await using watching = new Watching(box, ['--json', '--on-trip', `cat >> '${facts()}'`]);
    await watching.until(() => watching.told('state').length === 1, 'the state');
    box.handshake();
    loop();
    box.call('Bash', { command: 'ls' });
    await watching.until(() => watching.told('refusal').length === 2, 'both refusals');
    estop();
    await watching.until(() => lines().length === 2, 'the facts');
    expect(await watching.end()).toBe(0);
    expect(lines().map((line) => JSON.parse(line))).toMatchObject([
      {
        event: 'trip',
        kind: 'breaker',
        workspace: box.root,
        session_id: 'session-1',
        intent_id: 'INT-001',
        tool: 'Bash',
      },
      { event: 'trip', kind: 'estop', workspace: null },
    ]);
  });

  test('text of an agent is no part of the command', async () => {
    const session = `x$(touch ${box.file('pwned')})\`touch ${box.file('pwned')}\`'; touch ${box.file('pwned')};'`;
    await using watching = new Watching(box, ['--json', '--on-trip', `cat >> '${facts()}'`]);
    await watching.until(() => watching.told('state').length === 1, 'the state');
    box.handshake('INT-001', session);
    loop(session);
    await watching.until(() => lines().length === 1, 'the facts');
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ session_id: session });
    expect(existsSync(box.file('pwned'))).toBe(false);
  });

  test('a command that fails is told of and the watch goes on', async () => {
    await using watching = new Watching(box, ['--json', '--on-trip', 'echo no such channel >&2; exit 3']);
    await watching.until(() => watching.told('state').length === 1, 'the state');
    estop();
    await watching.until(() => watching.told('notice').length === 1, 'the notice');
    expect(watching.told('notice')).toMatchObject([
      { message: '--on-trip failed (exit code 3): no such channel' },
    ]);
    estop('--clear');
    await watching.until(() => watching.told('estop').length === 2, 'the next change');
  });

  test('a command that hangs does not hold up the end', async () => {
    await using watching = new Watching(box, [
      '--json',
      '--on-trip',
      `echo $$ > '${box.file('pid')}'; sleep 600`,
    ]);
    await watching.until(() => watching.told('state').length === 1, 'the state');
    estop();
    await watching.until(() => existsSync(box.file('pid')) && box.read('pid').endsWith('\n'), 'the command');
    expect(await watching.end()).toBe(0);
    const pid = Number(box.read('pid'));
    await watching.until(() => !existsSync(`/proc/${pid}`), 'the end of the command');
  });

  test('has no use with --once', () => {
    expect(box.run(['watch', '--once', '--on-trip', 'true']).code).toBe(2);
  });

  test('an agent cannot run it', () => {
    box.handshake();
    expect(box.call('Bash', { command: "pactclaw watch --on-trip 'touch x'" })).toBe(false);
  });
});

describe('on a terminal', () => {
  const screen = { wait: 'REFUSALS' } as const;

  test.each([
    ['q', [screen, { send: 'q' }]],
    ['Ctrl-C', [screen, { send: '\u0003' }]],
    ['SIGTERM', [screen, { signal: 'SIGTERM' }]],
    ['SIGINT', [screen, { signal: 'SIGINT' }]],
    ['SIGHUP', [screen, { signal: 'SIGHUP' }]],
  ] as const)('%s ends it and gives the terminal back', (_name, steps) => {
    const { output, code, hung, failed, restored } = onTerminal(box, ['watch'], steps);
    expect({ code, hung, failed, restored }).toEqual({ code: 0, hung: false, failed: null, restored: true });
    expect(output).toMatch(/^\u001b\[\?1049h/);
    expect(output.endsWith(LEAVE)).toBe(true);
  });

  test('draws anew when its size changes, and never more than goes in', () => {
    box.agentWrites('README.md', 'no\n');
    const { output, failed } = onTerminal(
      box,
      ['watch'],
      [screen, { mark: true }, { resize: [40, 8] }, screen, { send: 'q' }],
    );
    expect(failed).toBe(null);
    const last = output.slice(output.lastIndexOf('\u001b[2J'));
    const rows = [...last.matchAll(/\u001b\[(\d+);1H/g)].map(([, row]) => Number(row));
    expect(Math.max(...rows)).toBe(8);
    const texts = last.split(/\u001b\[\d+;1H/).map((text) => text.replaceAll(/\u001b\[[?\d;]*[a-zA-Z]/g, ''));
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(40);
  });

  test('stops and goes on with the shell in between', () => {
    const { output, restored, failed, code } = onTerminal(
      box,
      ['watch'],
      [
        screen,
        { send: '\u001a' },
        { wait: LEAVE },
        { mark: true },
        { signal: 'SIGCONT' },
        screen,
        { send: 'q' },
      ],
    );
    expect({ failed, restored, code }).toEqual({ failed: null, restored: true, code: 0 });
    expect(output.match(/\u001b\[\?1049h/g)?.length).toBeGreaterThanOrEqual(2);
  });

  test('stops under a shell, and goes on when the shell says so', () => {
    const bin = path.resolve(import.meta.dirname, '../../bin/pactclaw');
    const { output, failed, code } = onTerminal(box, null, [
      { wait: '$ ' },
      { send: `${process.execPath} ${bin} watch\r` },
      screen,
      { mark: true },
      { send: '\u001a' },
      { wait: 'Stopped' },
      { wait: '$ ' },
      { mark: true },
      { send: 'fg\r' },
      screen,
      { mark: true },
      { send: 'q' },
      { wait: '$ ' },
      { send: 'exit\r' },
    ]);
    expect({ failed, code }).toEqual({ failed: null, code: 0 });
    // The shell speaks on its own lines: what was drawn is gone before, and comes back after.
    expect(output.slice(0, output.indexOf('Stopped')).trimEnd()).toMatch(
      /\[\?1049l[^\u001b]*(?:\u001b\[\?2004l)?[^\u001b]*$/,
    );
  });

  test('--bell rings and --notify asks for a notification at a trip; neither without being asked', () => {
    mkdirSync(path.join(box.home, '.pactclaw'), { recursive: true });
    const stop = [process.execPath, path.resolve(import.meta.dirname, '../../bin/pactclaw'), 'estop'];
    const steps = [screen, { run: stop }, { wait: 'ESTOP' }, { send: 'q' }] as const;
    const told = onTerminal(box, ['watch', '--bell', '--notify'], steps).output;
    expect(told).toContain(
      '\u0007\u001b]9;PactClaw: TRIP (emergency stop) Emergency Stop: all tools are stopped',
    );
    estop('--clear');
    const other = onTerminal(box, ['watch', '--notify'], steps, { TERM: 'foot' }).output;
    expect(other).toContain('\u001b]777;notify;PactClaw;TRIP (emergency stop)');
    estop('--clear');
    expect(onTerminal(box, ['watch'], steps).output).not.toContain('\u0007');
  });

  test('NO_COLOR is kept to, and a dumb terminal gets lines', () => {
    const quiet = onTerminal(box, ['watch'], [screen, { send: 'q' }], { NO_COLOR: '1' });
    expect(quiet.output).not.toMatch(/\u001b\[\d*m.*PactClaw/);
    const dumb = onTerminal(box, ['watch'], [screen, { signal: 'SIGTERM' }], { TERM: 'dumb' });
    expect(dumb.output).not.toContain('\u001b');
  });

  test('an agent cannot draw on it', () => {
    box.handshake();
    box.call('Write', { file_path: box.file('docs/\u001b]0;owned\u0007\u001b[31m.md'), content: 'x' });
    const { output } = onTerminal(box, ['watch'], [screen, { wait: 'owned' }, { send: 'q' }], {}, [120, 40]);
    expect(output).toContain('docs/\\u{1b}]0;owned\\u{7}');
    expect(output).not.toContain('\u001b]0;');
  });
});
