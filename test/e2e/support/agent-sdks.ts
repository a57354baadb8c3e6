/** Agent kits for the documents' examples: installed aside, because the package itself needs none of them. */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { PACKAGE } from './governed.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FOLDER = path.join(ROOT, '.tools/agent-sdks');

/** The kits and their versions that the examples are known to run with. */
export const KITS = { 'ai-sdk': 'ai@7.0.173', 'openai-agents': '@openai/agents@0.20.0' } as const;
export type Kit = keyof typeof KITS;

function installed(spec: string): boolean {
  const at = spec.lastIndexOf('@');
  const file = path.join(FOLDER, 'node_modules', spec.slice(0, at), 'package.json');
  if (!fs.existsSync(file)) return false;
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version === spec.slice(at + 1);
}

/** Installs the kits where they are not there yet. */
export function installKits(): void {
  if (Object.values(KITS).every(installed)) return;
  fs.mkdirSync(FOLDER, { recursive: true });
  const args = ['i', '--prefix', FOLDER, '--no-save', '--no-package-lock', '--ignore-scripts'];
  execFileSync('npm', [...args, ...Object.values(KITS)], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** A folder in which an example finds its kit and the package, as it would in somebody's project. */
export function layOut(kit: Kit): string {
  const folder = fs.mkdtempSync(path.join(FOLDER, 'example-'));
  fs.copyFileSync(path.join(ROOT, 'docs/examples', `${kit}.ts`), path.join(folder, 'example.ts'));
  fs.copyFileSync(path.join(ROOT, 'fixtures/agent-sdks', `drive-${kit}.ts`), path.join(folder, 'drive.ts'));
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}\n');
  fs.mkdirSync(path.join(folder, 'node_modules'));
  fs.symlinkSync(PACKAGE, path.join(folder, 'node_modules/pactclaw'));
  return folder;
}

/** What the compiler says of the example and its driver, checked as strictly as it can be. */
export function typeFaults(folder: string): string {
  const flags =
    '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --target es2023 --module esnext --allowImportingTsExtensions';
  const more = ['--moduleResolution', 'bundler', '--types', 'node', '--typeRoots'];
  const args = [...flags.split(' '), ...more, path.join(ROOT, 'node_modules/@types'), 'drive.ts'];
  try {
    execFileSync(path.join(ROOT, 'node_modules/.bin/tsc'), args, { cwd: folder, encoding: 'utf8' });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

/** Runs the driver of an example to its end; gives what it printed. */
export function drive(folder: string, args: readonly string[], home: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const tsx = path.join(ROOT, 'node_modules/.bin/tsx');
    const env = { PATH: process.env.PATH ?? '', HOME: home, PACTCLAW_SERVE: 'off' };
    const child = spawn(tsx, ['drive.ts', ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), 90_000);
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(out);
      else reject(new Error(`the example ended with ${code}: ${err}`));
    });
  });
}
