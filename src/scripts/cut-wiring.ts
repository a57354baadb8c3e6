import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { PIPELINE } from '../hooks/pipeline.ts';

/**
 * Builds PactClaw without each named hook in turn and runs the wiring suite against that build: it must fail every
 * time, and pass with the whole pipeline. Dead wiring is a control that nobody misses. Arguments choose hooks.
 */
const root = path.resolve(import.meta.dirname, '../..');
const chosen = process.argv.slice(2);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-wiring-'));

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}

const run = promisify(execFile);

async function packageWithout(hook: string | null): Promise<string> {
  const folder = path.join(scratch, hook ?? 'whole');
  fs.mkdirSync(folder);
  fs.cpSync(path.join(root, 'bin'), path.join(folder, 'bin'), { recursive: true });
  fs.copyFileSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const without = hook === null ? [] : ['--without', hook];
  const args = ['tsx', 'src/scripts/build.ts', '--out', path.join(folder, 'dist'), ...without];
  await run('npx', args, { cwd: root });
  return folder;
}

/** Titles of the scenarios that fail without a hook; one is enough, so that the suite stops at the first. */
async function failuresOf(hook: string | null): Promise<string[]> {
  const report = path.join(scratch, `${hook ?? 'whole'}.json`);
  const env = { ...process.env, PACTCLAW_TEST_PACKAGE: await packageWithout(hook) };
  const suite = ['vitest', 'run', '--project', 'process', 'test/process/wiring.test.ts'];
  const args = [...suite, '--reporter=json', `--outputFile=${report}`, `--bail=${hook === null ? 0 : 1}`];
  // A failing suite is the expected end; what it says is in the report.
  await run('npx', args, { cwd: root, env, maxBuffer: 64 << 20 }).catch(() => undefined);
  const { testResults, numPassedTests, numFailedTests } = JSON.parse(
    fs.readFileSync(report, 'utf8'),
  ) as Report;
  if (numFailedTests === 0 && numPassedTests < PIPELINE.length)
    throw new Error('the wiring suite did not run');
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title),
  );
}

let dead = 0;

/** Takes hooks off the list until it is empty; several of these share the machine. */
async function cutEach(waiting: string[]): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const failures = await failuresOf(name);
    if (failures.length === 0) dead += 1;
    console.log(`without ${name}: ${failures.length === 0 ? 'NOTHING FAILS' : `fails (${failures[0]})`}`);
  }
}

try {
  const whole = await failuresOf(null);
  console.log(
    whole.length === 0 ? 'whole pipeline: every scenario holds' : `whole pipeline: FAILS ${whole.join('; ')}`,
  );
  dead += whole.length;
  const waiting = PIPELINE.map(({ name }) => name).filter(
    (name) => chosen.length === 0 || chosen.includes(name),
  );
  await Promise.all(Array.from({ length: os.availableParallelism() }, () => cutEach(waiting)));
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = dead === 0 ? 0 : 1;
