import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isTemporary } from '../../src/security/scratch.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

let place: TestWorkspace;
let agent: Agent;
/** A folder in the system's temporary folder that is none of this workspace's. */
let folder: string;

beforeEach(async () => {
  place = new TestWorkspace([{ id: 'INT-001', scope: ['src/a/**'] }], ['src/a/one.ts', 'README.md']);
  folder = fs.mkdtempSync('/tmp/out');
  fs.chmodSync(folder, 0o755);
  agent = place.agent('s1');
  await agent.begin('INT-001');
});
afterEach(() => {
  place[Symbol.dispose]();
  fs.rmSync(folder, { recursive: true, force: true });
});

const verdict = async (command: string) => {
  const { decision } = await agent.shell(command.replaceAll('TMP', folder), () => undefined);
  return [decision.verdict, decision.refusal?.sentence ?? ''];
};

describe('U-9: scratch in the temporary folder', () => {
  test.each([
    'echo x > TMP.txt',
    'npm test > TMP.log 2>&1',
    'mkdir -p TMP/new/deep && echo x > TMP/new/deep/a',
    'echo x > TMP/a && rm TMP/a',
    'rm -rf TMP',
    'cp src/a/one.ts TMP/',
    'T=$(mktemp) && cp src/a/one.ts "$T" && rm -f "$T"',
    'D=$(mktemp -d); cd "$D" && echo x > y; rm -rf "$D"',
    'cat > TMP.sh <<EOF\necho hi\nEOF\nbash TMP.sh',
  ])('U-9: %s is allowed', async (command) => {
    expect(await verdict(command)).toEqual(['allow', '']);
  });

  test('U-9: a file tool may write there too', async () => {
    expect((await agent.write(`../../${folder.slice(5)}/note.md`)).decision.verdict).toBe('allow');
  });

  test.each([
    ['rm -rf /tmp', () => undefined],
    ['echo x > TMP/../../etc/x', () => undefined],
    ['rm -rf TMP', () => fs.mkdirSync(`${folder}/.git`)],
    ['rm -rf TMP', () => fs.mkdirSync(`${folder}/work/.orchestration`, { recursive: true })],
    ['echo x > TMP/deep/a', () => fs.mkdirSync(`${folder}/.git`)],
    ['echo x > TMP/a', () => fs.chmodSync(folder, 0o700)],
    ['echo x > TMP/link', () => fs.symlinkSync(`${place.root}/README.md`, `${folder}/link`)],
    ['echo x > TMP/link/a', () => fs.symlinkSync('/usr', `${folder}/link`)],
    ['echo x > TMP/same', () => fs.linkSync(`${place.root}/README.md`, `${folder}/same`)],
    ['echo x > TMP/.claude/settings.json', () => undefined],
    ['echo x > /tmp/claude-0/x', () => undefined],
    ['rm -rf /tmp/.X11-unix', () => undefined],
    ['rm -rf /tmp/ssh-abc', () => undefined],
    ['echo x > ../beside.txt', () => undefined],
    ['ln -s "$PWD/README.md" TMP/l; echo x > TMP/l', () => undefined],
    [`ln -s ${process.cwd()} TMP/l && echo x > TMP/l/README.md`, () => undefined],
  ])('U-9: %s is refused', async (command, prepare) => {
    prepare();
    expect((await verdict(command))[0]).toBe('deny');
  });

  test('U-9: the folder that a workspace, a home or PactClaw lies in is none', () => {
    const ground = { root: '/tmp/x/ws', home: '/tmp/y', install: '/var/tmp/z' };
    const may = (path: string) => isTemporary(path, 'write', ground);
    expect(['/tmp/x/a', '/tmp/x', '/tmp/y/a', '/var/tmp/z/a'].map(may)).toEqual([false, false, false, false]);
    expect(['/tmp/w-none/a', '/var/tmp/w-none', '/tmpx/a', '/home/a'].map(may)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('U-9: what cannot be looked at is no scratch', () => {
    const ground = { root: '/w', home: '/h', install: '/i' };
    expect(isTemporary(`/tmp/${'x'.repeat(300)}`, 'write', ground)).toBe(false);
  });
});

test('U-9: a file tool that writes and removes scratch raises no alarm afterwards', async () => {
  for (const role of ['write', 'delete'] as const) {
    const path = `${folder}/notes.txt`;
    const answer = await agent.use(agent.call({ targets: [{ path, role }] }, { path, role }), () =>
      role === 'write' ? fs.writeFileSync(path, 'x') : fs.rmSync(path),
    );
    expect(answer.decision.verdict).toBe('allow');
    expect(answer.after?.alarm).toBeNull();
  }
  expect(place.statusOf('INT-001')).toBe('IN_PROGRESS');
});
