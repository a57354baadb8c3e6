/** Programs that run another one which their arguments name: a package's program, or a script. */
export const RUNNERS: readonly string[] = [
  ...['node', 'nodejs', 'npx', 'npm', 'pnpm', 'pnpx'],
  ...['yarn', 'bun', 'bunx', 'deno', 'tsx'],
];
