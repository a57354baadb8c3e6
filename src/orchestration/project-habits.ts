/** Folders that stand beside the work: tests, examples, what is generated or foreign. */
export const ASIDE =
  /(?:^|\/)(?:tests?|__tests__|spec|specs|e2e|docs?|examples?|samples?|demos?|fixtures|testdata|mocks?|scripts|tools|vendor|third_party|node_modules|dist|build|out|target|coverage|generated|migrations|assets|public|static)(?:\/|$)/i;

const CHECKS: readonly (readonly [file: RegExp, criterion: string])[] = [
  [/^Cargo\.toml$/, 'cargo test passes'],
  [/^go\.mod$/, 'go test ./... passes'],
  [/^(?:pytest\.ini|conftest\.py|tests?\/.*test_.*\.py|test_[^/]*\.py)$/, 'pytest passes'],
  [/^pom\.xml$/, 'mvn test passes'],
  [/^build\.gradle(?:\.kts)?$/, 'gradle test passes'],
  [/^mix\.exs$/, 'mix test passes'],
  [/^[^/]+\.(?:sln|csproj)$/, 'dotnet test passes'],
];

function runnerOf(files: ReadonlySet<string>): string {
  if (files.has('pnpm-lock.yaml')) return 'pnpm';
  if (files.has('yarn.lock')) return 'yarn';
  return 'npm';
}

/** Acceptance criteria that a project's own files name: its test command, its linter (H-42). */
export function criteriaOf(files: readonly string[], scripts: readonly string[]): string[] {
  const runner = runnerOf(new Set(files.filter((file) => !file.includes('/'))));
  const criteria = scripts.includes('test') ? [`${runner} test passes`] : [];
  for (const script of ['lint', 'typecheck', 'build'])
    if (scripts.includes(script)) criteria.push(`${runner} run ${script} passes`);
  for (const [pattern, criterion] of CHECKS)
    if (files.some((file) => pattern.test(file))) criteria.push(criterion);
  return criteria.length > 0 ? criteria : ['A human has seen it work'];
}

const MANIFEST =
  /^(?:package\.json|Cargo\.toml|go\.mod|pyproject\.toml|requirements\.txt|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json|mix\.exs)$/;

/** Constraints that are hard to regret (H-42). */
export function constraintsOf(files: readonly string[]): string[] {
  const constraints = ['Keep the behaviour that other code relies on'];
  if (files.some((file) => MANIFEST.test(file))) constraints.push('Add no dependency');
  if (files.some((file) => ASIDE.test(file) && /test|spec/i.test(file)))
    constraints.push('Leave existing tests as strict as they are');
  return constraints;
}
