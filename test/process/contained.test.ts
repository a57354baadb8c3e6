import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ContainedWorkspace, endOf, untilRunning } from '../support/contained.ts';
import { describeContained } from '../support/containers.ts';
import type { Agent } from '../support/workspace.ts';

let place: ContainedWorkspace;
let agent: Agent;
const temporary = process.env.TMPDIR;

beforeEach(async () => {
  // Not below /tmp, which a command sees as scratch.
  process.env.TMPDIR = '/var/tmp';
  place = new ContainedWorkspace([{ id: 'INT-001' }], ['src/secret.ts', 'src/components/button.ts']);
  agent = place.agent('s1');
  await agent.begin('INT-001');
});
afterEach(() => {
  place[Symbol.dispose]();
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const lastReceipt = () => place.receipts().at(-1);

/** Everything of the workspace that is not governance state, with times. */
function snapshot(): string[] {
  return readdirSync(place.root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.orchestration'))
    .map((name) => {
      const stat = statSync(`${place.root}/${name}`);
      return `${name} ${stat.mode} ${stat.mtimeMs} ${stat.isFile() ? readFileSync(`${place.root}/${name}`, 'latin1') : ''}`;
    })
    .sort();
}

describeContained('a command in scope', () => {
  test('is made real and recorded file by file, with the hashes of before and after', async () => {
    const ran = await place.bash(
      agent,
      'echo new > src/components/a.ts; echo more >> src/components/button.ts; echo said',
    );
    expect(ran).toMatchObject({ code: 0, stdout: 'said\n', stderr: '', alarm: null });
    expect(place.text('src/components/button.ts')).toBe('before\nmore\n');
    const lines = place
      .trace()
      .map(({ path, mutation, content_hash, previous_content_hash }) => [
        path,
        mutation,
        content_hash,
        previous_content_hash,
      ]);
    expect(lines).toEqual([
      ['src/components/a.ts', 'create', sha256('new\n'), null],
      ['src/components/button.ts', 'modify', sha256('before\nmore\n'), sha256('before\n')],
    ]);
    expect(lastReceipt()).toMatchObject({ phase: 'post', status: 'allowed', execution: 'contained' });
    expect(existsSync(`${place.workspace.layout.shadow}`)).toBe(false);
  });

  test('keeps its exit code, its streams, what it renames and what it deletes', async () => {
    const ran = await place.bash(
      agent,
      'mv src/components/button.ts src/components/knob.ts; echo bad >&2; exit 7',
    );
    expect(ran).toMatchObject({ code: 7, stderr: 'bad\n', alarm: null });
    expect(place.trace().map(({ path, mutation, from_path }) => [path, mutation, from_path])).toEqual([
      ['src/components/knob.ts', 'move', 'src/components/button.ts'],
    ]);
    expect(lastReceipt()).toMatchObject({ status: 'failed', execution: 'contained' });
  });

  test('leaves scratch where other tools find it, and its folder where the host looks for it', async () => {
    const file = `/tmp/contained-${process.pid}.txt`;
    const ran = await place.bash(agent, `echo scratch > ${file}; cd src`);
    expect(ran.code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('scratch\n');
    expect(readFileSync(`${place.temporary}/cwd`, 'utf8')).toBe(`${place.root}/src\n`);
    await place.bash(agent, `rm ${file}`);
    expect(existsSync(file)).toBe(false);
  });
});

describeContained('a command that leaves its scope', () => {
  test('changes nothing at all, is told why, and blocks no intent', async () => {
    place.put(
      'src/components/fix.sh',
      'echo leaked > src/secret.ts; echo in > src/components/in.ts; rm src/components/button.ts\n',
    );
    const before = snapshot();
    const ran = await place.bash(agent, 'sh src/components/fix.sh');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('nothing that it wrote was kept');
    expect(ran.stderr).toContain('- src/secret.ts: it is outside the owned_scope of Intent INT-001');
    expect(ran.stderr).toContain('It may change: src/components/**');
    expect(ran.alarm).toBeNull();
    expect(snapshot()).toEqual(before);
    expect(place.statusOf('INT-001')).toBe('IN_PROGRESS');
    expect(agent.state).toBe('CONTEXTUALIZED_ACTION');
    expect(lastReceipt()).toMatchObject({
      status: 'denied',
      execution: 'contained',
      target: 'src/secret.ts',
      violation: { kind: 'scope', rule: 'contained', hook: 'ContainmentHook' },
    });
    expect((await place.bash(agent, 'echo ok > src/components/ok.ts')).code).toBe(0);
    expect(place.text('src/components/ok.ts')).toBe('ok\n');
  });

  test('F-1, F-6: a process that it leaves behind is gone with it', async () => {
    place.put(
      'src/components/late.sh',
      '(sleep 1; echo late > src/secret.ts; echo late > src/components/late.ts) &\n',
    );
    place.put('src/components/late.bash', 'true > >(sleep 1; echo x > src/secret.ts)\n');
    const ran = await place.bash(agent, 'sh src/components/late.sh; bash src/components/late.bash');
    expect(ran).toMatchObject({ code: 0, alarm: null });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(place.text('src/secret.ts')).toBe('before\n');
    expect(place.text('src/components/late.ts')).toBeNull();
  });

  test('F-3, F-7, F-18: governing files, in the project and in the home, are out of its reach', async () => {
    mkdirSync(`${place.workspace.ground.home}/.codex`, { recursive: true });
    writeFileSync(`${place.workspace.ground.home}/.codex/config.toml`, 'a = 1\n');
    place.put('.claude/settings.json', '{}');
    place.put(
      'src/components/x.py',
      [
        'import os',
        'home = os.path.expanduser("~")',
        'for path in [".orchestration/config.yaml", ".orchestration/new", ".claude/settings.json", home + "/.codex/config.toml", home + "/.gitconfig", home + "/x"]:',
        '  try: open(path, "w").write("evil"); print("wrote", path)',
        '  except OSError as error: print(error.strerror)',
      ].join('\n'),
    );
    const ran = await place.bash(agent, 'python3 src/components/x.py');
    expect(ran.stdout).toBe('Read-only file system\n'.repeat(6));
    expect(ran.stderr).toBe('');
    expect(place.text('.claude/settings.json')).toBe('{}');
    await place.bash(
      agent,
      "python3 -c \"import os; os.makedirs('.codex'); open('.codex/hooks.json','w').write('{}')\"",
    );
    expect(place.text('.codex/hooks.json')).toBeNull();
  });

  test('a program that it has put on PATH is not what makes the next container', async () => {
    const names = ['mount', 'unshare', 'setpriv', 'cat', 'rm'];
    const escaped = `${place.base}/escaped`;
    for (const name of names) {
      place.put(`src/components/bin/${name}`, `#!/bin/sh\ntouch ${escaped}\nexec /usr/bin/${name} "$@"\n`);
      chmodSync(`${place.root}/src/components/bin/${name}`, 0o755);
    }
    place.path = `${place.root}/src/components/bin:`;
    const ran = await place.bash(agent, 'command -v mount; echo in > src/components/in.ts');
    expect(ran).toMatchObject({ code: 0, stdout: `${place.root}/src/components/bin/mount\n`, stderr: '' });
    expect(existsSync(escaped)).toBe(false);
  });

  test('F-10, F-13: pipes, sockets and files that run as their owner are refused', async () => {
    place.put('src/components/x.py', 'import os, socket\nos.mkfifo("src/components/pipe")\n');
    const piped = await place.bash(agent, 'python3 src/components/x.py');
    expect(piped.stderr).toContain(
      'src/components/pipe: it cannot be trusted: it is a pipe, a socket or a device',
    );
    place.put(
      'src/components/y.py',
      'import os\nopen("src/components/run","w").close()\nos.chmod("src/components/run", 0o4755)\n',
    );
    const setuid = await place.bash(agent, 'python3 src/components/y.py');
    expect(setuid.stderr).toContain('it would run with the rights of its owner (setuid)');
    expect(place.text('src/components/run')).toBeNull();
  });
});

describeContained('meanwhile', () => {
  test('U-3: what a person saves stays, the command’s own work is kept beside it or beside nothing', async () => {
    place.put(
      'src/components/go.sh',
      'echo ours > src/components/button.ts; echo ours > src/components/mine.ts; sleep 3.01\n',
    );
    const running = place.bash(agent, 'sh src/components/go.sh; ls src/components > /dev/null');
    await untilRunning('sleep 3.01');
    place.put('src/secret.ts', 'a person\n');
    place.put('src/components/theirs.ts', 'a person\n');
    place.put('src/components/button.ts', 'a person\n');
    const ran = await running;
    expect(ran.stderr).toContain('Somebody else changed these files while the command ran, so theirs stay');
    expect(ran.code).toBe(0);
    expect(place.text('src/secret.ts')).toBe('a person\n');
    expect(place.text('src/components/theirs.ts')).toBe('a person\n');
    expect(place.text('src/components/button.ts')).toBe('a person\n');
    expect(place.text('src/components/mine.ts')).toBe('ours\n');
    const [, kept = ''] = /its version is kept in (\S+)\)/.exec(ran.stderr) ?? [];
    expect(place.text(kept)).toBe('ours\n');
  });

  test('U-3: what somebody adds to a folder that the command makes anew stays, though the view has listed it before', async () => {
    place.put('src/components/d/old.ts', 'old\n');
    place.put(
      'src/components/anew.sh',
      'cd src/components; rm -r d; mkdir d; ls . d; sleep 3.02; ls . d > /dev/null; echo ours > d/ours.ts\n',
    );
    const running = place.bash(agent, 'sh src/components/anew.sh');
    await untilRunning('sleep 3.02');
    place.put('src/components/d/theirs.ts', 'a person\n');
    place.put('src/components/beside.ts', 'a person\n');
    expect(await running).toMatchObject({ code: 0, refused: null });
    const left = ['d/old.ts', 'd/ours.ts', 'd/theirs.ts', 'beside.ts'];
    expect(left.map((file) => place.text(`src/components/${file}`))).toEqual([
      null,
      'ours\n',
      'a person\n',
      'a person\n',
    ]);
  });

  test('a call that was allowed and never run is not what a later one with the same text is judged by', async () => {
    const command = "python3 -c \"open('src/components/x.ts', 'w').write('1')\"";
    const call = agent.call({ tool: 'shell', kind: 'execute', command }, { command });
    const origin = { sessionId: 's1', host: 'claude-code', transcript: null };
    expect((await place.engine.preToolUse({ ...origin, call })).text).toBeNull();
    place.edit("- 'src/components/**'", "- 'src/pages/**'");
    await agent.begin('INT-001');
    const ran = await place.ran('s1', command);
    expect(ran.stderr).toContain('belongs to no tool call that was allowed');
    expect((await place.bash(agent, command)).stderr).toContain('src/components/x.ts: it is outside');
    expect(place.text('src/components/x.ts')).toBeNull();
  });

  test('a command that nobody allowed may write nothing', async () => {
    const ran = await place.ran('s1', 'echo x > src/components/x.ts; cat src/components/x.ts');
    expect(ran.stdout).toBe('x\n');
    expect(ran.stderr).toContain('belongs to no tool call that was allowed');
    expect(place.text('src/components/x.ts')).toBeNull();
  });

  test('a command that its host ends keeps what it has written', async () => {
    const command = 'echo one > src/components/one.ts; sleep 60.1; echo two > src/components/two.ts';
    const call = agent.call({ tool: 'shell', kind: 'execute', command }, { command });
    const origin = { sessionId: 's1', host: 'claude-code', transcript: null };
    await place.engine.preToolUse({ ...origin, call });
    const child = place.start('s1', command);
    const ended = endOf(child);
    await untilRunning('sleep 60.1');
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    expect((await ended).code).toBe(143);
    const { alarm } = await place.engine.postToolUse({ ...origin, call, ok: false, result: null });
    expect(alarm).toBeNull();
    expect([place.text('src/components/one.ts'), place.text('src/components/two.ts')]).toEqual([
      'one\n',
      null,
    ]);
  });

  test('the emergency stop ends what runs, and nothing of it is kept', async () => {
    const command = 'echo one > src/components/one.ts; sleep 60.2';
    const running = place.bash(agent, command);
    await untilRunning('sleep 60.2');
    const folder = `${place.workspace.ground.home}/.pactclaw`;
    writeFileSync(`${folder}/ESTOP`, 'stop');
    const ran = await running;
    expect([ran.code, ran.alarm]).toEqual([137, null]);
    expect(ran.stderr).toContain('Emergency Stop: all tools are stopped');
    expect(place.text('src/components/one.ts')).toBeNull();
  });

  test('a command whose program is killed has changed nothing, and blocks nothing', async () => {
    const command = 'echo one > src/components/one.ts; sleep 60.3';
    const call = agent.call({ tool: 'shell', kind: 'execute', command }, { command });
    const origin = { sessionId: 's1', host: 'claude-code', transcript: null };
    await place.engine.preToolUse({ ...origin, call });
    const child = place.start('s1', command);
    await untilRunning('sleep 60.3');
    const ended = endOf(child);
    child.kill('SIGKILL');
    // It ends when nobody holds its streams any more: what it has started is gone with it.
    await ended;
    const { alarm } = await place.engine.postToolUse({ ...origin, call, ok: false, result: null });
    expect(alarm).toBeNull();
    expect(place.statusOf('INT-001')).toBe('IN_PROGRESS');
    expect((await place.bash(agent, 'ls src/components')).stdout).toBe('button.ts\n');
  });
});

describeContained('git in a container', () => {
  beforeEach(() => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: place.root });
    writeFileSync(`${place.root}/.gitignore`, 'node_modules/\n.env\n.orchestration/\n');
    git('init', '-q', '-b', 'main');
    git('config', 'user.name', 't');
    git('config', 'user.email', 't@example.invalid');
    git('add', '-A');
    git('commit', '-qm', 'start');
  });

  test('commits, branches and stashes are real afterwards', async () => {
    place.put(
      'src/components/g.sh',
      'echo 2 >> src/components/button.ts && git add -A && git commit -qm two && git checkout -qb work && echo 3 >> src/components/button.ts && git stash -q && git log --oneline | wc -l\n',
    );
    const ran = await place.bash(agent, 'sh src/components/g.sh');
    expect(ran).toMatchObject({ code: 0, stdout: '2\n', stderr: '', refused: null });
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: place.root, encoding: 'utf8' }).trim();
    expect(git('branch', '--show-current')).toBe('work');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('stash', 'list')).toContain('stash@{0}');
    expect(git('fsck')).not.toMatch(/error|missing/);
  });

  test('settings and hooks of the repository are not', async () => {
    const ran = await place.bash(
      agent,
      "python3 -c \"open('.git/config','a').write('x')\"; python3 -c \"open('.git/hooks/pre-commit','w').write('x')\"; true",
    );
    expect(ran.stderr.match(/Read-only file system/g)?.length).toBe(2);
    expect(existsSync(`${place.root}/.git/hooks/pre-commit`)).toBe(false);
  });

  test('what git ignores as a folder is a by-product; a single ignored file, or a tracked one, is not', async () => {
    const made = await place.bash(
      agent,
      "python3 -c \"import os; os.makedirs('node_modules/x'); open('node_modules/x/i.js','w').write('1')\"",
    );
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(place.text('node_modules/x/i.js')).toBe('1');
    const secret = await place.bash(agent, "python3 -c \"open('.env','w').write('1')\"");
    expect(secret.stderr).toContain('.env: it is outside the owned_scope');
    execFileSync('git', ['add', '-f', 'node_modules/x/i.js'], { cwd: place.root });
    const tracked = await place.bash(agent, "python3 -c \"open('node_modules/x/i.js','w').write('2')\"");
    expect(tracked.stderr).toContain('node_modules/x/i.js: it is outside the owned_scope');
  });
});

describeContained('as an ordinary user', () => {
  test.runIf(process.getuid?.() === 0)('the same program does the same', () => {
    const user = 65_534;
    execFileSync('chown', ['-R', `${user}:${user}`, place.base]);
    chmodSync(place.base, 0o755);
    const script = `${import.meta.dirname}/support/contained-user.ts`;
    const ids = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
    const said = execFileSync('setpriv', [...ids, 'node', '--import', 'tsx', script], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: `${place.base}/home`, TMPDIR: '/var/tmp' },
    });
    expect(JSON.parse(said)).toEqual({
      inScope: { code: 0, text: 'new\n' },
      stray: { code: 1, text: 'before\n', told: true },
      status: 'IN_PROGRESS',
      execution: 'contained',
    });
  });
});
