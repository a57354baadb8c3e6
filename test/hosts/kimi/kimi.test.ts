import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import type { HookEngine } from '../../../src/hooks/engine.ts';
import type { HookReply } from '../../../src/hosts/adapter.ts';
import { decodeCall, kimi } from '../../../src/hosts/kimi/adapter.ts';
import { kimiInstaller } from '../../../src/hosts/kimi/install/installer.ts';
import { readRecord } from '../../../src/hosts/kimi/record.ts';
import { kimiVerifier } from '../../../src/hosts/kimi/verify/verifier.ts';
import { hookInput } from '../../../src/hosts/shared/decode/hook-input.ts';
import { applyPlans } from '../../../src/hosts/shared/install/apply.ts';
import type { Machine } from '../../../src/hosts/shared/install/installer.ts';
import { planInstall, planUninstall } from '../../../src/hosts/shared/install/plan.ts';
import { readNotes } from '../../../src/hosts/shared/install/record.ts';
import { temporaryFolder } from '../../support/ledger.ts';
import { TestWorkspace } from '../../support/workspace.ts';
import { bytesOf, fixture, recorded } from '../support/recorded.ts';
import { expectWriteOrError } from '../support/undecodable.ts';

const decodeInput = (bytes: Uint8Array) => hookInput('kimi', bytes);

const payload = (event: string, more: object, cwd = '/ws') =>
  bytesOf({ hook_event_name: event, session_id: 's1', cwd, client_type: 'kimi_code_cli', ...more });
const call = (tool_name: string, tool_input: object) =>
  decodeCall(decodeInput(payload('PreToolUse', { tool_name, tool_input, tool_call_id: 'c1' })));

describe('calls', () => {
  const at = (path: string, role: string) => ({ path, role });
  test.each([
    ['Write', { path: 'a', content: 'x' }, 'file_write', 'write', [at('a', 'write')]],
    ['Edit', { path: 'a', old_string: 'x', new_string: 'y' }, 'patch', 'write', [at('a', 'write')]],
    ['Read', { path: 'a' }, 'file_read', 'read', [at('a', 'read')]],
    ['Bash', { command: 'ls' }, 'shell', 'execute', []],
    ['FetchURL', { url: 'https://x' }, 'http', 'network', []],
    ['CronCreate', { cron: '* * * * *', prompt: 'x' }, 'cron_create', 'execute', []],
    ['Invented', { path: 'a' }, 'unknown:Invented', 'execute', [at('a', 'write')]],
    ['mcp__other__x', { path: 'a' }, 'mcp__other__x', 'execute', [at('a', 'write')]],
    ['mcp__pactclaw__select_active_intent', { intent_id: 'A' }, 'select_active_intent', 'control', []],
  ])('%s %j', (name, args, tool, kind, targets) => {
    expect(call(name, args)).toMatchObject({ tool, kind, targets, callId: 'c1' });
  });

  test('a command starts in the folder that it names, and one in the background is told as such', () => {
    expect(call('Bash', { command: 'ls', cwd: 'sub' }).cwd).toBe('/ws/sub');
    expect(call('Bash', { command: 'ls', cwd: '/else' }).cwd).toBe('/else');
    expect(call('Bash', { command: 'ls', run_in_background: true }).background).toBe(true);
  });

  test.each([
    ['Write', { content: 'x' }],
    ['Edit', { path: 7 }],
    ['Bash', {}],
  ])('%s %j is refused', (name, args) => {
    expect(() => call(name, args)).toThrow(PactError);
  });

  test('no bytes at all give anything but a PactError or a call that names its tool', () => {
    const message = { hook_event_name: 'PreToolUse', session_id: 's', cwd: '/ws', tool_name: 'Write' };
    expectWriteOrError(
      (bytes) => decodeCall(decodeInput(bytes)),
      (tool_input) => ({ ...message, tool_input }),
    );
  });

  test('every recorded payload is read', () => {
    const lines = recorded('kimi', 'hooks.jsonl');
    expect(new Set(lines.map(({ label }) => label)).size).toBeGreaterThanOrEqual(6);
    for (const { label, in: raw } of lines) {
      const input = decodeInput(bytesOf(raw));
      expect(input.event).toBe(label);
      if (label.includes('ToolUse')) expect(decodeCall(input)).toMatchObject({ declared: true });
    }
  });
});

describe('the record', () => {
  const file = fixture('kimi', 'record.jsonl');

  test('a step counts once, the handshake’s not at all', () => {
    // Eight steps: one of them the handshake's.
    expect(readRecord(file, 0, null)).toMatchObject({ turns: 7, tokens: 7 * 120 });
  });

  test('read in pieces it comes to the same, wherever they end', () => {
    const folder = temporaryFolder('kimi');
    const copy = `${folder}/wire.jsonl`;
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    const sum = { turns: 0, tokens: 0 };
    let offset = 0;
    for (const [at] of lines.entries()) {
      writeFileSync(copy, `${lines.slice(0, at + 1).join('\n')}\n`);
      const read = readRecord(copy, offset, null);
      offset = read.offset;
      sum.turns += read.turns;
      sum.tokens += read.tokens;
    }
    rmSync(folder, { recursive: true });
    expect(sum).toEqual({ turns: 7, tokens: 840 });
  });
});

describe('a session', () => {
  let place: TestWorkspace;
  beforeEach(() => {
    place = new TestWorkspace([{ id: 'INT-001' }], ['src/secret.ts']);
  });
  afterEach(() => place[Symbol.dispose]());
  const fire = async (
    event: string,
    more: object = {},
    engine: HookEngine = place.engine,
  ): Promise<HookReply> => kimi.handle(await kimi.decode(payload(event, more, place.root), event), engine);
  let calls = 0;
  const write = (file: string) => {
    calls += 1;
    return {
      tool_name: 'Write',
      tool_input: { path: `${place.root}/${file}`, content: 'x\n' },
      tool_call_id: `w${calls}`,
    };
  };
  const handshake = {
    tool_name: 'mcp__pactclaw__select_active_intent',
    tool_input: { intent_id: 'INT-001' },
    tool_call_id: 'h',
  };
  /** The client's record, with the result of a call in it. */
  const record = (id: string) => {
    const folder = `${place.base}/home/.kimi-code/sessions/wd_ws_1/s1/agents/main`;
    mkdirSync(folder, { recursive: true });
    const event = { type: 'tool.result', toolCallId: id, result: { output: 'done' } };
    writeFileSync(
      `${folder}/wire.jsonl`,
      `${JSON.stringify({ type: 'context.append_loop_event', event })}\n`,
    );
  };

  test('is refused before the handshake in every form, and acts in scope after it', async () => {
    const told = await fire('UserPromptSubmit', { prompt: [{ type: 'text', text: 'go' }] });
    expect(JSON.parse(told.stdout).message).toContain('INT-001');
    const early = await fire('PreToolUse', write('src/components/a.ts'));
    expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining('State Violation') });
    expect(JSON.parse(early.stdout).hookSpecificOutput.permissionDecision).toBe('deny');
    await fire('PreToolUse', handshake);
    await fire('PostToolUse', { ...handshake, tool_output: '{}' });
    const inside = write('src/components/a.ts');
    expect(await fire('PreToolUse', inside)).toMatchObject({ stdout: '{}\n', code: 0 });
    place.put('src/components/a.ts', 'x\n');
    await fire('PostToolUse', { ...inside, tool_output: 'done' });
    expect(place.trace()).toMatchObject([{ path: 'src/components/a.ts', host: { name: 'kimi' } }]);
    expect((await fire('PreToolUse', write('src/secret.ts'))).stderr).toContain('owned_scope');
  });

  test('a call waits until the one before it is recorded as ended', async () => {
    await fire('UserPromptSubmit', { prompt: [] });
    await fire('PreToolUse', handshake);
    record('h');
    const [next] = await Promise.all([
      fire('PreToolUse', write('src/components/a.ts')),
      // The host does not wait for this one.
      new Promise((resolve) => setTimeout(resolve, 100)).then(() =>
        fire('PostToolUse', { ...handshake, tool_output: '{}' }),
      ),
    ]);
    expect(next.stdout).toBe('{}\n');
  });

  test('calls that go on are not waited for', async () => {
    await fire('UserPromptSubmit', { prompt: [] });
    await fire('PreToolUse', handshake);
    await fire('PostToolUse', { ...handshake, tool_output: '{}' });
    expect((await fire('PreToolUse', write('src/components/a.ts'))).code).toBe(0);
    let asked = 0;
    const engine = {
      ...place.engine,
      openCalls: (id: string) => {
        asked += 1;
        return place.engine.openCalls(id);
      },
    };
    expect((await fire('PreToolUse', write('src/components/b.ts'), engine)).code).toBe(0);
    expect(asked).toBe(1);
  });

  test('the end of a call that was refused, or that the host refused itself, is none', async () => {
    await fire('UserPromptSubmit', { prompt: [] });
    const refused = write('src/components/a.ts');
    await fire('PreToolUse', refused);
    const before = place.receipts().length;
    await fire('PostToolUseFailure', { ...refused, error: { message: 'blocked' } });
    expect(place.receipts()).toHaveLength(before);
  });

  test.each([
    [null, 2],
    ['PreToolUse', 2],
    ['UserPromptSubmit', 2],
    ['PostToolUse', 0],
    ['Stop', 0],
  ])('a failure at %s ends with %i', (event, code) => {
    const reply = kimi.failed(event, 'broken');
    expect(reply.code).toBe(code);
    expect(reply.stderr).toContain('broken');
  });

  test('what is no event of the host is refused', () => {
    for (const bytes of ['', 'x', '[]', '{"hook_event_name":"PreToolUse"}'])
      expect(() => decodeInput(Buffer.from(bytes))).toThrow(PactError);
  });
});

describe('installation', () => {
  let base: string;
  beforeEach(() => {
    base = temporaryFolder('kimi');
    mkdirSync(`${base}/home/.kimi-code`, { recursive: true });
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));
  const machine = (): Machine => ({
    project: `${base}/project`,
    home: `${base}/home`,
    platform: 'linux',
    env: () => undefined,
  });
  const config = () => `${base}/home/.kimi-code/config.toml`;
  const parts = () =>
    kimiInstaller.parts(machine(), 'user', {
      node: process.execPath,
      install: process.cwd(),
      workspace: null,
    });
  const install = () => applyPlans(planInstall(parts(), readNotes(`${base}/notes`)), `${base}/notes`);
  const uninstall = () => applyPlans(planUninstall(parts(), readNotes(`${base}/notes`)), `${base}/notes`);

  test('the client has written the file anew: ours are found, and nothing else goes', () => {
    writeFileSync(config(), 'telemetry = false\n');
    install();
    const rewritten = readFileSync(config(), 'utf8').replace('telemetry = false', 'telemetry = true');
    writeFileSync(config(), `${rewritten}\n[models.k]\nmodel = "k"\n`);
    uninstall();
    expect(parse(readFileSync(config(), 'utf8'))).toEqual({ telemetry: true, models: { k: { model: 'k' } } });
  });

  test('a project’s server of the same name takes the place of ours, and verify says so', () => {
    install();
    mkdirSync(`${base}/project/.kimi-code`, { recursive: true });
    writeFileSync(`${base}/project/.kimi-code/mcp.json`, '{"mcpServers":{"pactclaw":{"command":"evil"}}}');
    expect(kimiVerifier.server?.find(machine())?.ours).toBe(false);
  });
});
