/**
 * Installs the pinned agent clients into `.tools/NAME`, each in a folder of its own so that none sees another's packages.
 * What is there in the pinned version stays. Arguments choose clients: `npm run clients -- codex pi`.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientName, PINS, type Pin, toolFolder } from './pins.ts';

function installedVersion(name: ClientName): string | undefined {
  try {
    const file = join(toolFolder(name), 'node_modules', PINS[name].package, 'package.json');
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  } catch {
    return undefined;
  }
}

/** Runs npm for one client; tells whether the pinned version is there afterwards. */
async function install(name: ClientName): Promise<boolean> {
  const pin: Pin = PINS[name];
  if (installedVersion(name) !== pin.version) {
    const folder = toolFolder(name);
    mkdirSync(folder, { recursive: true });
    const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
    const args = ['i', '--prefix', folder, ...options, `${pin.package}@${pin.version}`];
    if (pin.beside !== undefined) args.push(pin.beside);
    const npm = spawn('npm', args, { stdio: 'inherit', timeout: 600_000 });
    await new Promise((resolve) => npm.once('close', resolve).once('error', resolve));
  }
  const done = installedVersion(name) === pin.version;
  console.log(`${done ? 'ready' : 'MISSING'}  ${name} ${pin.version}`);
  return done;
}

const names = Object.keys(PINS) as ClientName[];
const wrong = process.argv.slice(2).filter((name) => !(names as string[]).includes(name));
if (wrong.length > 0) {
  console.error(`no such client: ${wrong.join(', ')}; there are: ${names.join(', ')}`);
  process.exit(1);
}
const waiting = names.filter((name) => process.argv.length === 2 || process.argv.includes(name));
const results: boolean[] = [];
// Two at a time: unpacking keeps the processor busy, the registry answers meanwhile.
await Promise.all(
  [1, 2].map(async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      results.push(await install(name));
  }),
);
process.exitCode = results.every(Boolean) ? 0 : 1;
