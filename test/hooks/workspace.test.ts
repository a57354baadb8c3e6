import { mkdirSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findWorkspace } from '../../src/hooks/workspace.ts';
import { temporaryFolder } from '../support/ledger.ts';

let base: string;
beforeEach(() => {
  base = temporaryFolder('find');
  mkdirSync(`${base}/a/.orchestration/quarantine/1/sub/.orchestration`, { recursive: true });
  mkdirSync(`${base}/a/b/.orchestration`, { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test.each([
  ['the nearest', 'a/b/c', 'a/b'],
  ['the folder itself', 'a', 'a'],
  ['not one that quarantine keeps', 'a/.orchestration/quarantine/1/sub', 'a'],
])('the workspace of a folder is %s', (_name, from, found) => {
  expect(findWorkspace(`${base}/${from}`)).toBe(`${base}/${found}`);
});
