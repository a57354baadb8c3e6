import { expect, test, vi } from 'vitest';
import { PactError } from '../../src/core/errors.ts';
import { openDatabase } from '../../src/platform/sqlite.ts';

const failure = vi.hoisted(() => ({ now: new Error() as Error & { code?: string } }));
vi.mock('better-sqlite3', () => ({
  default: class {
    constructor() {
      throw failure.now;
    }
  },
}));

function failing(message: string, code?: string): unknown {
  failure.now = Object.assign(new Error(message), code === undefined ? {} : { code });
  try {
    return openDatabase('/nowhere/state.db', { busyMs: 1 });
  } catch (error) {
    return error;
  }
}

test.each([
  ['was compiled against a different Node.js version using NODE_MODULE_VERSION 115', 'ERR_DLOPEN_FAILED'],
  ["Cannot find module '/x/better_sqlite3.node'", 'MODULE_NOT_FOUND'],
  ['Could not locate the bindings file. Tried: …', undefined],
])('U-15: a native module that is missing is named as such: %s', (message, code) => {
  const error = failing(message, code);
  expect(error).toBeInstanceOf(PactError);
  expect(error).toMatchObject({ code: 'UNAVAILABLE', remedy: expect.stringContaining('npm rebuild') });
});

test('any other fault of the database is left as it is', () => {
  expect(failing('database disk image is malformed', 'SQLITE_CORRUPT')).toBe(failure.now);
});
