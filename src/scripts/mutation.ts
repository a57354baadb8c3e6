import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Changes the code of the rooms that judge in small ways (Stryker's mutants) and runs the room's tests against each: a mutant
 * that no test notices is code that no test needs. Prints the score of each room and writes the survivors as JSON.
 *
 * A whole run takes hours, so that without arguments every 12th top-level declaration is taken, the same ones each time.
 */
const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, '.mutation');
const SPREAD = 12;

/** Rooms and the tests that are about them. The engine's suites need a workspace each: seconds a mutant. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: ['test/core/**/*.test.ts'],
  hooks: ['test/hooks/**/*.test.ts'],
  security: ['test/security/**/*.test.ts'],
};

/** Stryker's report (mutation-testing-report-schema), as far as it is read here. */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}
interface Mutant {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number } };
}
interface Score {
  readonly caught: number;
  readonly tried: number;
  readonly survivors: readonly string[];
}

const CAUGHT = ['Killed', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    changed: { type: 'boolean' },
    tests: { type: 'string' },
    workers: { type: 'string' },
  },
});

const filesOf = (room: string): string[] =>
  fs
    .readdirSync(path.join(root, 'src', room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${room}/${name}`)
    .sort();

/** Top-level declarations of a file as Stryker's line ranges. */
function declarationsOf(file: string): string[] {
  const lines = fs.readFileSync(path.join(root, file), 'utf8').split('\n');
  const starts = lines.flatMap((line, at) =>
    /^(export |async |function |const |class )/.test(line) ? [at] : [],
  );
  return starts
    .map((start, nth) => ({ start, end: (starts[nth + 1] ?? lines.length) - 1 }))
    .filter(({ start }) => !/^(export )?(interface|type|\*|\{)/.test(lines[start] ?? ''))
    .map(({ start, end }) => `${file}:${start + 1}-${end + 1}`);
}

function changedFiles(): string[] {
  const args = ['diff', '--name-only', '--diff-filter=d', 'origin/main...'];
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
}

/** What Stryker is told to change in a room. */
function chosenIn(room: string): string[] {
  const files = filesOf(room);
  if (values.all) return files;
  const named = values.changed ? changedFiles() : positionals.map((name) => name.replace(/\/$/, ''));
  if (values.changed || named.length > 0)
    return files.filter((file) => named.some((name) => file === name || file.startsWith(`${name}/`)));
  return files.flatMap(declarationsOf).filter((_, nth) => nth % SPREAD === 0);
}

function mutate(room: string, chosen: readonly string[]): Score {
  const report = path.join(folder, `${room}.json`);
  const settings = path.join(folder, `${room}.stryker.json`);
  fs.rmSync(report, { force: true });
  fs.writeFileSync(
    settings,
    JSON.stringify({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      coverageAnalysis: 'perTest',
      // Constants are made once for all tests: each of their mutants would need every test. Words of messages are free.
      ignoreStatic: true,
      mutator: { excludedMutations: ['StringLiteral'] },
      mutate: chosen,
      // Not below node_modules, of which a sandbox has no copy.
      tempDirName: '.mutation/sandbox',
      ignorePatterns: ['.tools', 'dist', 'bench/results', 'docs', '.orchestration/state.db*'],
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: report },
      vitest: { related: false },
      ...(values.workers === undefined ? {} : { concurrency: Number(values.workers) }),
      timeoutMS: 30_000,
      dryRunTimeoutMinutes: 30,
      allowEmpty: true,
    }),
  );
  const tests = values.tests ?? ROOMS[room]?.join(',') ?? '';
  const env = { ...process.env, PACTCLAW_MUTATION_TESTS: tests };
  const { status } = spawnSync('npx', ['stryker', 'run', settings], { cwd: root, env, stdio: 'inherit' });
  if (!fs.existsSync(report)) throw new Error(`Stryker ended with ${status} and wrote no report for ${room}`);
  return scoreOf(JSON.parse(fs.readFileSync(report, 'utf8')) as Report);
}

function scoreOf({ files }: Report): Score {
  const mutants = Object.entries(files).flatMap(([file, of]) =>
    of.mutants.map((mutant) => ({ file, mutant })),
  );
  const missed = mutants.filter(({ mutant }) => MISSED.includes(mutant.status));
  const caught = mutants.filter(({ mutant }) => CAUGHT.includes(mutant.status)).length;
  return {
    caught,
    tried: caught + missed.length,
    survivors: missed.map(
      ({ file, mutant: { location, mutatorName, replacement = '', status } }) =>
        `${file}:${location.start.line} ${status} ${mutatorName}: ${replacement.replace(/\s+/g, ' ').slice(0, 100)}`,
    ),
  };
}

const percent = ({ caught, tried }: Pick<Score, 'caught' | 'tried'>) =>
  `${((100 * caught) / Math.max(tried, 1)).toFixed(1)} % (${caught} of ${tried} mutants noticed)`;

fs.mkdirSync(folder, { recursive: true });
if (!values.all && !values.changed && positionals.length === 0)
  console.log(
    `A sample: every ${SPREAD}th declaration. Name files or folders, or --changed, or --all (hours).`,
  );
const scores: Record<string, Score> = {};
for (const room of Object.keys(ROOMS)) {
  const chosen = chosenIn(room);
  if (chosen.length > 0) scores[room] = mutate(room, chosen);
}
const each = Object.values(scores);
fs.writeFileSync(path.join(folder, 'score.json'), `${JSON.stringify(scores, null, 2)}\n`);
for (const [room, score] of Object.entries(scores)) {
  for (const survivor of score.survivors) console.log(survivor);
  console.log(`${room}: ${percent(score)}`);
}
const caught = each.reduce((sum, score) => sum + score.caught, 0);
const tried = each.reduce((sum, score) => sum + score.tried, 0);
console.log(`overall: ${percent({ caught, tried })}; survivors in .mutation/score.json`);
