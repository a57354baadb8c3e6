import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
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

function packageWithout(hook: string | null): string {
  const folder = path.join(scratch, hook ?? 'whole');
  fs.mkdirSync(folder);
  fs.cpSync(path.join(root, 'bin'), path.join(folder, 'bin'), { recursive: true });
  fs.copyFileSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const args = [
    'tsx',
    'src/scripts/build.ts',
    '--out',
    path.join(folder, 'dist'),
    ...(hook === null ? [] : ['--without', hook]),
  ];
  const built = spawnSync('npx', args, { cwd: root, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the build without ${hook} failed: ${built.stderr}`);
  return folder;
}

function failuresOf(hook: string | null): string[] {
  const report = path.join(scratch, `${hook ?? 'whole'}.json`);
  const env = { ...process.env, PACTCLAW_TEST_PACKAGE: packageWithout(hook) };
  const args = [
    'vitest',
    'run',
    '--project',
    'process',
    'test/process/wiring.test.ts',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  spawnSync('npx', args, { cwd: root, env, encoding: 'utf8' });
  const { testResults, numPassedTests, numFailedTests } = JSON.parse(
    fs.readFileSync(report, 'utf8'),
  ) as Report;
  if (numPassedTests + numFailedTests < PIPELINE.length) throw new Error('the wiring suite did not run');
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title),
  );
}

let dead = 0;
try {
  const whole = failuresOf(null);
  console.log(
    whole.length === 0 ? 'whole pipeline: every scenario holds' : `whole pipeline: FAILS ${whole.join('; ')}`,
  );
  dead += whole.length;
  for (const { name } of PIPELINE.filter((hook) => chosen.length === 0 || chosen.includes(hook.name))) {
    const failures = failuresOf(name);
    if (failures.length === 0) dead += 1;
    console.log(
      `without ${name}: ${failures.length === 0 ? 'NOTHING FAILS' : `${failures.length} fail (${failures[0]})`}`,
    );
  }
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = dead === 0 ? 0 : 1;
