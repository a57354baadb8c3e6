import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Dispatcher, Pool } from 'undici';

/** What `pactclaw serve --status` tells. */
export interface EngineStatus {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly memoryBytes: number;
  readonly events: number;
}

/** A resident engine with a home of its own, asked over the loopback address. */
export class Engine {
  private constructor(
    private readonly child: ReturnType<typeof spawn>,
    private readonly address: { readonly port: string; readonly token: string },
    /** The home whose hooks find it. */
    readonly home: string,
  ) {}

  static async start(install: string): Promise<Engine> {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'pcb-'));
    const program = path.join(install, 'bin/pactclaw');
    const child = spawn(process.execPath, [program, 'serve', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, HOME: home },
    });
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (!said.includes('"port":')) continue;
      const file = path.join(home, '.pactclaw/run', `${install}/bin`.replaceAll('/', '_'));
      const [port = '', token = ''] = fs.readFileSync(file, 'latin1').split(' ');
      return new Engine(child, { port, token }, home);
    }
    throw new Error('the engine did not start');
  }

  /** Connections to the engine, to be closed by the caller. */
  connect(connections: number): Dispatcher {
    const { port, token } = this.address;
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
    return pool.compose((dispatch) => (options, handler) => {
      const headers = { ...(options.headers as Record<string, string>), authorization: `Bearer ${token}` };
      return dispatch({ ...options, headers }, handler);
    });
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
export async function fire(pool: Dispatcher, root: string, payload: object): Promise<void> {
  const event = (payload as { hook_event_name: string }).hook_event_name;
  const { statusCode, body } = await pool.request({
    path: `/v1/hook/claude-code?workspace=${root}&event=${event}`,
    method: 'POST',
    body: JSON.stringify(payload),
  });
  const text = await body.text();
  if (statusCode !== 200 || !text.startsWith('0\n')) throw new Error(`${statusCode}: ${text}`);
}
