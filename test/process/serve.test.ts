import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GovernedProject, PACKAGE } from '../e2e/support/governed.ts';
import { FakeHost } from './support/host.ts';

/** The resident engine: asked first, never trusted for being there, and never missed. */
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

interface Status {
  running: boolean;
  pid: number;
  port: number;
  events: number;
}
const start = () => project.json<Status>('serve', '--background');
const status = () => project.json<Status>('serve', '--status');
const run = () => path.join(project.home, '.pactclaw/run');
const addressFile = () => path.join(run(), `${PACKAGE}/bin`.replaceAll('/', '_'));
const address = () => fs.readFileSync(addressFile(), 'utf8').trim().split(' ') as [string, string, string];
const write = (file: string) => ({
  tool_name: 'Write',
  tool_input: { file_path: project.path(file), content: 'x\n' },
  tool_use_id: `call-${Math.random()}`,
});

interface Impostor {
  readonly hits: number;
  /** Bytes of the event that it was given. */
  readonly heard: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly close: () => void;
}

/** Listens in the engine's place and answers everything alike. */
async function impostor(answer: string, proof: string | null): Promise<Impostor> {
  const seen = { hits: 0, heard: 0, headers: {} as http.IncomingHttpHeaders, close: () => server.close() };
  const server = http.createServer();
  server.on('checkContinue', (request: http.IncomingMessage, response: http.ServerResponse) => {
    seen.hits += 1;
    seen.headers = request.headers;
    const [, , ours] = address();
    const shown = proof === 'proof' ? ours : proof;
    request.socket.write(
      `HTTP/1.1 100 Continue\r\n${shown === null ? '' : `x-pactclaw-proof: ${shown}\r\n`}\r\n`,
    );
    request.on('data', (bytes: Buffer) => {
      seen.heard += bytes.length;
    });
    request.on('end', () => response.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const [, token, ours] = fs.existsSync(addressFile()) ? address() : ['', 'token', 'proof'];
  fs.mkdirSync(run(), { recursive: true });
  fs.writeFileSync(addressFile(), `${(server.address() as AddressInfo).port} ${token} ${ours}\n`);
  return seen;
}

/** Fires an event without blocking this process, which plays the engine's part. */
function fireAside(
  event: string,
  more: Record<string, unknown>,
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; stdout: string }> {
  return new Promise((resolve) => {
    const child = spawn(host.launcher, host.args(event), {
      env: { ...host.environment, ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    child.on('close', (code) => resolve({ code, stdout }));
    child.stdin.end(host.payload(event, more));
  });
}

describe('the hook asks the engine', () => {
  test('and gets the answers that a process of its own gives', () => {
    start();
    expect(host.fire('PreToolUse', write('src/components/a.ts')).text).toContain(
      'State Violation: Reasoning Intercept Required',
    );
    host.select();
    expect(host.fire('PreToolUse', write('src/components/a.ts')).denied).toBe(false);
    expect(host.fire('PreToolUse', write('src/secret.ts')).text).toContain('outside the owned_scope');
    expect(status().events).toBeGreaterThanOrEqual(5);
    expect(project.cli('receipt', 'verify').code).toBe(0);
  });

  test('and decides for itself once the engine was killed', () => {
    const { pid } = start();
    host.select();
    process.kill(pid, 'SIGKILL');
    expect(fs.existsSync(addressFile())).toBe(true);
    expect(host.fire('PreToolUse', write('src/components/a.ts')).denied).toBe(false);
    expect(host.fire('PreToolUse', write('src/secret.ts')).denied).toBe(true);
    expect(start().pid).not.toBe(pid);
  });

  test.each([
    ['says yes without the proof', '0\n{}\n', null],
    ['says yes with another proof', '0\n{}\n', 'x'],
    ['proves itself but talks nonsense', 'yes\n', 'proof'],
    ['proves itself but ends early', '0\n', 'proof'],
    ['proves itself and claims another exit code', '1\n{}\n', 'proof'],
  ])('an impostor that %s is not believed', async (_name, answer, proof) => {
    const seen = await impostor(answer, proof);
    const { code, stdout } = await fireAside('PreToolUse', write('src/secret.ts'));
    seen.close();
    expect(seen.hits).toBe(1);
    // What a call carries is for nobody but the engine.
    expect(seen.heard > 0).toBe(proof === 'proof');
    expect(code).toBe(2);
    expect(stdout).toContain('State Violation');
  });

  test('a folder with odd characters in its name is decided in a process of its own', () => {
    const { port } = start();
    expect(port).toBeGreaterThan(0);
    const odd = path.join(project.folder, 'a b?&c');
    fs.cpSync(project.root, odd, { recursive: true });
    const args = ['claude-code', '--workspace', odd, '--event', 'PreToolUse'];
    const result = spawnSync(host.launcher, [process.execPath, ...args], {
      env: host.environment,
      input: host.payload('PreToolUse', write('src/secret.ts')),
      encoding: 'utf8',
    });
    expect(result.status).toBe(2);
    expect(result.stdout).toContain('State Violation');
    expect(status().events).toBe(0);
  });
});

describe('what is on disk decides, not what the engine holds open', () => {
  test('no governance folder: refused; back again: allowed', () => {
    start();
    host.select();
    fs.renameSync(project.path('.orchestration'), project.path('aside'));
    expect(host.fire('PreToolUse', write('src/components/a.ts')).text).toContain('Fail-Safe Default');
    fs.renameSync(project.path('aside'), project.path('.orchestration'));
    expect(host.fire('PreToolUse', write('src/components/a.ts')).denied).toBe(false);
  });

  test('a state.db that was deleted is not used on: the session begins anew (H-18)', () => {
    start();
    host.select();
    for (const end of ['', '-wal', '-shm'])
      fs.rmSync(project.path(`.orchestration/state.db${end}`), { force: true });
    expect(host.fire('PreToolUse', write('src/components/a.ts')).text).toContain('State Violation');
  });

  test("a human's edit counts at the very next call (H-45)", () => {
    start();
    host.select();
    expect(host.fire('PreToolUse', write('src/components/a.ts')).denied).toBe(false);
    project.edit('owned_scope: ["src/components/**"]', 'owned_scope: ["src/elsewhere/**"]');
    expect(host.fire('PreToolUse', write('src/components/b.ts')).text).toContain('outside the owned_scope');
  });

  test('a ledger changed by a byte: refused', () => {
    start();
    host.select();
    const file = project.path('.orchestration/tool_receipts.log');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"phase":"pre"', '"phase":"pro"'));
    expect(host.fire('PreToolUse', write('src/components/a.ts')).text).toContain('Fail-Safe Default');
  });
});

/** One request over the loopback address. */
function ask(more: {
  method?: string;
  path: string;
  token?: string;
  body?: string | Buffer;
}): Promise<number> {
  const [port, token] = address();
  return new Promise((resolve) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method: more.method ?? 'POST',
        path: more.path,
        headers: { authorization: `Bearer ${more.token ?? token}` },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on('error', () => resolve(-1));
    request.end(more.body ?? '');
  });
}

describe('the door', () => {
  test('answers nobody without the token, and nothing else than it knows', async () => {
    start();
    const hook = `/v1/hook/claude-code?workspace=${project.root}`;
    expect(await ask({ path: hook, token: 'wrong' })).toBe(401);
    expect(await ask({ path: '/v1/stop', token: '' })).toBe(401);
    expect(await ask({ path: '/v1/hook/nobody?workspace=/tmp' })).toBe(404);
    expect(await ask({ path: '/v1/hook/claude-code?workspace=here' })).toBe(404);
    expect(await ask({ path: '/v2/hook/claude-code' })).toBe(404);
    expect(await ask({ path: hook, body: 'no json' })).toBe(200);
    expect([413, -1]).toContain(await ask({ path: hook, body: Buffer.alloc(70 << 20, 32) }));
    expect(status().running).toBe(true);
    expect(fs.statSync(run()).mode & 0o077).toBe(0);
    expect(fs.statSync(addressFile()).mode & 0o077).toBe(0);
  });

  test('a second engine is refused; after an upgrade the old one leaves', () => {
    const { pid } = start();
    const second = project.cli('serve');
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('a resident engine runs already');
    const program = path.join(PACKAGE, 'dist/cli.mjs');
    fs.utimesSync(program, new Date(), new Date());
    expect(host.fire('PreToolUse', write('src/secret.ts')).denied).toBe(true);
    expect(start().pid).not.toBe(pid);
  });
});

describe('on demand', () => {
  const claim = () => `${addressFile()}.starting`;
  const started = () => expect.poll(() => fs.existsSync(addressFile()), { timeout: 30_000 }).toBe(true);
  const ended = () =>
    expect.poll(() => project.json<Status>('serve', '--status').running, { timeout: 30_000 }).toBe(false);
  const engines = () =>
    fs
      .readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .filter((pid) => {
        try {
          const home = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${project.home}\0`);
          return home && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('serve');
        } catch {
          return false;
        }
      });

  test('the first hook answers, then starts it; those that come after ask it', async () => {
    host.serve = 'auto';
    expect(host.fire('PreToolUse', write('src/secret.ts')).text).toContain('State Violation');
    await started();
    expect(fs.existsSync(claim())).toBe(false);
    host.select();
    expect(host.fire('PreToolUse', write('src/components/a.ts')).denied).toBe(false);
    expect(status().events).toBeGreaterThan(0);
  });

  test('thirty-two hooks that begin at once start one, with nothing of their environment', async () => {
    host.serve = 'auto';
    const odd = {
      PATH: `${project.folder}/evil:${process.env.PATH}`,
      NODE_ENV: 'odd',
      PACTCLAW_LOG_FILE: '/odd',
    };
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => fireAside('PreToolUse', write('src/secret.ts'), odd)),
    );
    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 32 }, () => 2));
    await started();
    // What the engine itself starts looks like it until it is another program.
    await expect.poll(engines, { timeout: 30_000 }).toHaveLength(1);
    expect(fs.existsSync(claim())).toBe(false);
    const environ = fs.readFileSync(`/proc/${engines()[0]}/environ`, 'utf8').split('\0');
    expect(environ.filter(Boolean).map((line) => line.split('=')[0])).toEqual(['HOME', 'PATH']);
    expect(environ.join()).not.toContain('evil');
  });

  test('a hook that looked before an engine stood, and decides after, starts no second one', () => {
    start();
    const args = ['claude-code', '--workspace', project.root, '--event', 'PreToolUse', '--engine', 'absent'];
    const { status: code } = spawnSync(process.execPath, [path.join(PACKAGE, 'dist/hook.cjs'), ...args], {
      env: { ...host.environment, PACTCLAW_SERVE: 'auto' },
      input: host.payload('PreToolUse', write('src/secret.ts')),
    });
    expect(code).toBe(2);
    expect(fs.existsSync(claim())).toBe(false);
  });

  test('after kill -9 the next hook decides, and starts another', async () => {
    host.serve = 'auto';
    const { pid } = start();
    host.select();
    process.kill(pid, 'SIGKILL');
    expect(host.fire('PreToolUse', write('src/components/a.ts')).denied).toBe(false);
    await expect.poll(() => project.json<Status>('serve', '--status').pid, { timeout: 30_000 }).not.toBe(pid);
    await started();
  });

  test.each([
    ['in the workspace', '.orchestration/config.yaml', 'serve: off\n'],
    ["in the user's settings", '../home/.pactclaw/config.toml', 'serve = "off"\n'],
  ])('`serve: off` %s: no hook starts it', (_where, file, text) => {
    host.serve = 'auto';
    project.put(file, text);
    expect(host.fire('PreToolUse', write('src/secret.ts')).denied).toBe(true);
    expect(host.fire('PreToolUse', write('src/secret.ts')).denied).toBe(true);
    expect(fs.existsSync(claim())).toBe(true);
    expect(engines()).toEqual([]);
  });

  test('an engine whose home is gone ends by itself', async () => {
    const { pid } = start();
    fs.rmSync(run(), { recursive: true });
    await expect.poll(() => fs.existsSync(`/proc/${pid}`), { timeout: 40_000 }).toBe(false);
    await ended();
  });
});

test('what the engine took and did not answer is looked up before it is decided', async () => {
  const first = write('src/components/a.ts');
  host.select();
  expect(host.fire('PreToolUse', first).denied).toBe(false);
  const count = () => project.log('tool_receipts.log').filter(({ phase }) => phase === 'pre').length;
  const before = count();
  // The engine recorded the decision and was killed before it could answer.
  const seen = await impostor('', 'proof');
  const { code } = await fireAside('PreToolUse', first);
  seen.close();
  expect([code, seen.heard > 0, count()]).toEqual([0, true, before]);
});

test("the engine reads the folders that the hook's environment names", async () => {
  const moved = path.join(project.folder, 'kimi home');
  const seen = await impostor('0\n{}\n', 'proof');
  await fireAside('PreToolUse', write('src/secret.ts'), { KIMI_CODE_HOME: '/somewhere/else' });
  expect(seen.headers['x-pactclaw-env-kimi_code_home']).toBe('/somewhere/else');
  // What a header cannot carry as it is decides for itself.
  await fireAside('PreToolUse', write('src/secret.ts'), { KIMI_CODE_HOME: moved });
  seen.close();
  expect(seen.hits).toBe(1);
});

test('many sessions at once, the engine killed among them: every answer is right and no record is lost', async () => {
  // No response of a model is seen here, so that each of the calls is a turn.
  project.edit('    x-team:', '    budget: { max_turns: 1000 }\n    x-team:');
  const { pid } = start();
  const sessions = Array.from({ length: 12 }, (_, at) => new FakeHost(project, `session-${at}`));
  for (const one of sessions) one.select('INT-001');
  const before = project.log('tool_receipts.log').length;
  let answered = 0;
  const work = sessions.flatMap((one) =>
    Array.from({ length: 10 }, async (_, at) => {
      const inside = at % 2 === 0;
      const result = await new Promise<number | null>((resolve) => {
        const child = spawn(one.launcher, one.args('PreToolUse'), {
          env: one.environment,
          stdio: ['pipe', 'ignore', 'ignore'],
        });
        child.on('close', resolve);
        child.stdin.end(
          one.payload('PreToolUse', {
            tool_name: 'Write',
            tool_input: {
              file_path: project.path(inside ? 'src/components/a.ts' : 'src/secret.ts'),
              content: String(at),
            },
            tool_use_id: `${one.session}-${at}`,
          }),
        );
      });
      answered += 1;
      if (answered === 30) process.kill(pid, 'SIGKILL');
      // A call that the engine had taken when it died may be refused as one that was begun before; never the reverse.
      if (!inside) expect(result).toBe(2);
      return result;
    }),
  );
  const codes = await Promise.all(work);
  expect(codes.filter((code) => code === 0).length).toBeGreaterThan(30);
  expect(project.cli('receipt', 'verify').code).toBe(0);
  const receipts = project.log('tool_receipts.log').slice(before);
  const allowed = new Set(
    receipts
      .filter(({ phase, status: is }) => phase === 'pre' && is === 'allowed')
      .map(({ call_id }) => call_id),
  );
  expect(allowed.size).toBeGreaterThanOrEqual(codes.filter((code) => code === 0).length);
  expect(project.cli('fsck').code).toBe(0);
});
