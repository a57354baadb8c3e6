import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GovernedProject } from '../e2e/support/governed.ts';
import { FakeHost } from './support/host.ts';

let project: GovernedProject;
let host: FakeHost;
beforeEach(() => {
  project = new GovernedProject();
  host = new FakeHost(project);
});
afterEach(() => {
  project.cli('serve', '--stop');
  project.remove();
});

const logFile = () => path.join(project.home, '.pactclaw/log/pactclaw.jsonl');
const toFile = () => {
  const settings = path.join(project.home, '.pactclaw/config.toml');
  fs.appendFileSync(settings, '\n[log]\nfile = "~/.pactclaw/log/pactclaw.jsonl"\n');
};
const lines = (): Record<string, unknown>[] =>
  fs.existsSync(logFile())
    ? fs
        .readFileSync(logFile(), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    : [];
const write = (file: string, content = 'x\n') => ({
  tool_name: 'Write',
  tool_input: { file_path: project.path(file), content },
  tool_use_id: `call-${Math.random()}`,
});

describe.each([['a process of its own'], ['the resident engine']])('hooks decided by %s', (which) => {
  test('tell what happened, in JSON lines in the file of the settings (R-134, H-5, H-28)', async () => {
    toFile();
    if (which === 'the resident engine') project.json('serve', '--background');
    host.fire('SessionStart', { source: 'startup' });
    host.select();
    const inside = write('src/components/a.ts');
    host.fire('PreToolUse', inside);
    host.fire('PostToolUse', { ...inside, tool_response: {} });
    host.fire('PreToolUse', write('src/secret.ts'));
    await expect.poll(() => lines().filter(({ event }) => event === 'tool_denied').length).toBe(1);
    const events = lines();
    expect(new Set(events.map(({ event }) => event))).toEqual(
      expect.objectContaining(
        new Set([
          'conversation_started',
          'state_changed',
          'tool_requested',
          'tool_approved',
          'tool_denied',
          'tool_completed',
          'receipt_written',
        ]),
      ),
    );
    expect(events.find(({ event }) => event === 'tool_denied')).toMatchObject({
      level: 'warn',
      violation_kind: 'scope',
      target: project.path('src/secret.ts'),
      session: host.session,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(events.filter(({ event }) => event === 'state_changed').at(-1)).toMatchObject({
      to: 'CONTEXTUALIZED_ACTION',
    });
    expect(fs.statSync(logFile()).mode & 0o077).toBe(0);
  });
});

test('PACTCLAW_LOG=json writes to the standard error of the hook, whose answer stays as it is', () => {
  const quiet = host.fire('PreToolUse', write('src/secret.ts'));
  const loud = host.fire('PreToolUse', write('src/secret.ts'), { PACTCLAW_LOG: 'json' });
  expect(loud.stdout).toBe(quiet.stdout);
  const told = loud.stderr.split('\n').filter((line) => line.startsWith('{"level"'));
  expect(told.map((line) => JSON.parse(line).event)).toEqual(
    expect.arrayContaining(['tool_requested', 'tool_denied', 'receipt_written']),
  );
});

test('a log that cannot be written stops nothing', () => {
  toFile();
  fs.mkdirSync(logFile(), { recursive: true });
  host.select();
  expect(host.fire('PreToolUse', write('src/components/a.ts'))).toMatchObject({ code: 0, denied: false });
});

/** Every file below a folder that has the text in it, as bytes. */
function filesWith(folder: string, text: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => fs.readFileSync(file).includes(text));
}

test('R-43: a token in a path, an argument, a reason, a file name and a URL is in no file that we write', async () => {
  toFile();
  const tokens = Array.from({ length: 7 }, (_, at) => `ghp_${String(at).repeat(8)}AbCdEfGhIjKlMnOpQrSt`);
  const [inPath, inArgument, inReason, inName, inUrl, inCommand, inGlob] = tokens as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const url = (token: string) => `https://user:${token}@example.org/x?access_token=${token}`;
  host.select('INT-001', `because ${inReason} says so`);
  const tools = [
    { tool_name: 'Write', tool_input: { file_path: project.path(`src/${inPath}/a.ts`), content: 'x' } },
    {
      tool_name: 'Write',
      tool_input: { file_path: project.path('src/components/b.ts'), content: 'x', note: inArgument },
    },
    {
      tool_name: 'Write',
      tool_input: { file_path: project.path(`src/components/${inName}.ts`), content: 'x' },
    },
    { tool_name: 'WebFetch', tool_input: { url: url(inUrl), prompt: 'read' } },
    { tool_name: 'Bash', tool_input: { command: `TOKEN=${inCommand} true` } },
    { tool_name: 'Read', tool_input: { file_path: project.path(`.orchestration/${inGlob}`) } },
  ];
  for (const [at, tool] of tools.entries()) {
    const call = { ...tool, tool_use_id: `planted-${at}` };
    if (!host.fire('PreToolUse', call).denied) host.fire('PostToolUse', { ...call, tool_response: {} });
  }
  // The tables know files by their names, as the work tree does.
  const named = new Set([inPath, inName, inGlob]);
  const isKept = (token: string, file: string) =>
    named.has(token) && path.basename(file).startsWith('state.db');
  const found = tokens.map((token) =>
    [project.path('.orchestration'), path.join(project.home, '.pactclaw')]
      .flatMap((folder) => filesWith(folder, token))
      .filter((file) => !isKept(token, file)),
  );
  expect(found).toEqual(tokens.map(() => []));
  expect(fs.readFileSync(logFile(), 'utf8')).toContain('[masked]');
});
