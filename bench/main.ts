import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchContext } from './lib/context.ts';
import { makeInstall } from './lib/install.ts';
import { describeMachine, loadAverage } from './lib/machine.ts';
import type { Row } from './lib/rows.ts';
import { figure, renderTable } from './lib/table.ts';
import { TOPICS } from './lib/topics.ts';

const USAGE = `usage: npm run bench -- [--only NAME,…] [--quick] [--json FILE] [--keep] [--install DIR] [--minutes N]
names: ${Object.keys(TOPICS).join(', ')}
`;

interface Report {
  readonly at: string;
  readonly quick: boolean;
  readonly machine: ReturnType<typeof describeMachine>;
  readonly topics: Record<string, { load: readonly (readonly number[])[]; rows: Row[]; error?: string }>;
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
        keep: { type: 'boolean', default: false },
        install: { type: 'string' },
        minutes: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const names = values.only?.split(',') ?? Object.keys(TOPICS).filter((name) => !TOPICS[name]?.onlyNamed);
    const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
    if (minutes !== undefined && !(Number.isInteger(minutes) && minutes > 0))
      throw new Error(`--minutes ${values.minutes} is no whole number of minutes`);
    const unknown = names.find((name) => !Object.hasOwn(TOPICS, name));
    if (unknown !== undefined) throw new Error(`no benchmark is named ${unknown}`);
    if (!values.help) return { ...values, names, minutes };
    process.stdout.write(USAGE);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
}

/** Runs one benchmark in a process of its own, so that none inherits another's heap, compiled code or home. */
function runTopic(name: string, place: Omit<BenchContext, 'say'>): Row[] {
  const out = path.join(place.scratch, `${name}.json`);
  const child = path.join(import.meta.dirname, 'lib/child.ts');
  const home = path.join(place.scratch, 'home');
  fs.mkdirSync(home, { recursive: true });
  const result = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', child, name, JSON.stringify({ ...place, out })],
    { stdio: 'inherit', env: { ...process.env, HOME: home } },
  );
  if (result.status !== 0) throw new Error(`it ended with ${result.status ?? result.signal}; see above`);
  return JSON.parse(fs.readFileSync(out, 'utf8')) as Row[];
}

function saveReport(file: string, report: Report): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}

// Costs tens of milliseconds a process on machines that have it; the launcher drops it, so the floor must too.
delete process.env.NODE_EXTRA_CA_CERTS;
// What is measured is the hook itself; the resident engine has figures of its own.
process.env.PACTCLAW_SERVE = 'off';
const options = readOptions();
const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-bench-')));
const repo = path.resolve(import.meta.dirname, '..');
const now = new Date().toISOString();
const json = options.json ?? path.join(repo, 'bench/results', `${now.slice(0, 16).replaceAll(':', '')}.json`);
try {
  const report: Report = { at: now, quick: options.quick, machine: describeMachine(scratch), topics: {} };
  const { cpu, cores, memoryGiB, node, kernel, fdatasyncMs } = report.machine;
  process.stdout.write(
    `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${kernel}, Node ${node}\n500 B write + fdatasync: p50 ${figure(fdatasyncMs.p50)} ms, p99 ${figure(fdatasyncMs.p99)} ms; load ${loadAverage().join(' ')}\n`,
  );
  const needsBuild = options.names.some((name) => TOPICS[name]?.needsBuild);
  const install = options.install ?? path.join(scratch, 'install');
  if (needsBuild && options.install === undefined) makeInstall(install);
  for (const name of options.names) {
    const before = loadAverage();
    let rows: Row[] = [];
    let error: string | undefined;
    try {
      rows = runTopic(name, {
        scratch,
        install: path.resolve(install),
        quick: options.quick,
        ...(options.minutes === undefined ? {} : { minutes: options.minutes }),
      });
    } catch (cause) {
      error = cause instanceof Error ? cause.message : String(cause);
    }
    const load = [before, loadAverage()];
    report.topics[name] = { load, rows, ...(error === undefined ? {} : { error }) };
    const title = `${name}: ${TOPICS[name]?.title} (load ${before[0]} → ${load[1]?.[0]})`;
    process.stdout.write(
      `${error === undefined ? renderTable(title, rows) : `\n${title}\n  FAILED: ${error}`}\n`,
    );
    saveReport(json, report);
  }
  const failed = Object.values(report.topics).some((topic) => topic.error !== undefined);
  process.stdout.write(`\nwritten to ${json}\n`);
  process.exitCode = failed ? 1 : 0;
} finally {
  if (!options.keep) fs.rmSync(scratch, { recursive: true, force: true });
}
