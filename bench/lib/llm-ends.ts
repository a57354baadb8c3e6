import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

const CHILD = path.join(import.meta.dirname, 'llm-child.ts');
const REPO = path.resolve(import.meta.dirname, '../..');

/** A server in a process of its own. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

function start(command: readonly string[], cwd: string): Promise<Running> {
  const child: ChildProcess = spawn(process.execPath, command, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = (): void => {
    child.removeAllListeners('exit');
    child.kill();
  };
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`${command.join(' ')} ended with ${code}`)));
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      const line = /^\{"url":.*\}$/m.exec(text);
      if (line) resolve({ url: (JSON.parse(line[0]) as { url: string }).url, pid: child.pid ?? 0, stop });
    });
  });
}

/** The provider, the pass-through in front of it, and the proxy in front of it. */
export interface Ends {
  readonly upstream: Running;
  readonly pass: Running;
  readonly proxy: Running;
  stop(): void;
}

/** Starts all three; the proxy is the installed one and governs the workspace at `root`. */
export async function startEnds(
  install: string,
  root: string,
  nodeOptions: readonly string[] = [],
): Promise<Ends> {
  const started: Running[] = [];
  const stop = (): void => {
    for (const one of started) one.stop();
  };
  const begin = async (command: readonly string[], cwd: string): Promise<Running> => {
    const running = await start(command, cwd);
    started.push(running);
    return running;
  };
  try {
    const upstream = await begin(['--import', 'tsx', CHILD, 'upstream'], REPO);
    const pass = await begin(['--import', 'tsx', CHILD, 'pass', upstream.url], REPO);
    const options = { upstream: upstream.url, listen: '127.0.0.1:0', workspace: root, host: 'claude-code' };
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const pactclaw = path.join(install, 'bin/pactclaw');
    const proxy = await begin([...nodeOptions, pactclaw, 'llm', 'proxy', ...words, '--json'], root);
    return { upstream, pass, proxy, stop };
  } catch (error) {
    stop();
    throw error;
  }
}
