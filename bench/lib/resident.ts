import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';

/** What `pactclaw serve --status` tells. */
export interface EngineStatus {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly memoryBytes: number;
  readonly events: number;
}

/** A resident engine with a home of its own, asked over its Unix socket. */
export class Engine {
  private constructor(
    private readonly child: ReturnType<typeof spawn>,
    private readonly socketPath: string,
    /** The home whose hooks find it. */
    readonly home: string,
  ) {}

  static async start(install: string): Promise<Engine> {
    // A Unix socket's path has room for a hundred bytes only.
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'pcb-'));
    const program = path.join(install, 'bin/pactclaw');
    const child = spawn(process.execPath, [program, 'serve', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, HOME: home },
    });
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      const socket = /"socket": "([^"]+)"/.exec(said)?.[1];
      if (socket !== undefined) return new Engine(child, socket, home);
    }
    throw new Error('the engine did not start');
  }

  /** Connections to the engine, to be closed by the caller. */
  connect(connections: number): Pool {
    return new Pool('http://localhost', { connections, socketPath: this.socketPath });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async status(): Promise<EngineStatus> {
    const pool = this.connect(1);
    const { body } = await pool.request({ path: '/v1/status', method: 'GET' });
    const status = (await body.json()) as EngineStatus;
    await pool.close();
    return status;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill();
    await ended;
    fs.rmSync(this.home, { recursive: true, force: true });
  }
}

/** Asks for one event's judgement; throws unless the engine lets it pass. */
export async function fire(pool: Pool, root: string, payload: object): Promise<void> {
  const event = (payload as { hook_event_name: string }).hook_event_name;
  const { statusCode, body } = await pool.request({
    path: `/v1/hook/claude-code?workspace=${root}&event=${event}`,
    method: 'POST',
    body: JSON.stringify(payload),
  });
  const text = await body.text();
  if (statusCode !== 200 || !text.startsWith('0\n')) throw new Error(`${statusCode}: ${text}`);
}
