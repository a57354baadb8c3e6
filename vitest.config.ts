import { defineConfig } from 'vitest/config';

/**
 * Suites of `process` that start hundreds of programs each, or wait for many: attacks, contained commands, a proxied model,
 * many processes at once, the resident engine, verify, a screen.
 */
const SLOW = ['attack-*', 'contained*', 'llm-proxy', 'parallel', 'serve', 'verify*', 'watch'].map(
  (name) => `test/process/${name}.test.ts`,
);

/** Which unit tests `npm run test:mutation` asks for; it runs no other suite. */
const ASKED = process.env.PACTCLAW_MUTATION_TESTS?.split(',');

/**
 * Four suites: `unit` runs source in memory, `process` runs the built commands, `slow` those of them that take minutes,
 * `e2e` runs real agents. All but the first start many programs: two files at once is what a machine of two cores bears.
 */
export default defineConfig({
  test: {
    // No hook leaves an engine behind; the suite that is about it says otherwise.
    env: { PACTCLAW_SERVE: 'off' },
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['test/support/seed.ts'],
          include: ASKED ?? ['test/**/*.test.ts'],
          exclude: ['test/process/**', 'test/e2e/**'],
          // A bound on hanging, not on speed: the suite shares small machines with others.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          exclude: SLOW,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'slow',
          include: SLOW,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 240_000,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ].slice(0, ASKED ? 1 : undefined),
  },
});
