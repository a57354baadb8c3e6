import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { guardedPlaces, obstacleOf } from '../../src/execution/prepare.ts';
import { ContainerPlace } from '../support/containers.ts';

let place: ContainerPlace;
beforeEach(() => {
  place = new ContainerPlace();
});
afterEach(() => place[Symbol.dispose]());

describe('what stands against a container, whatever the kernel can do', () => {
  test('nothing does in an ordinary repository', () => {
    mkdirSync(`${place.root}/.git`);
    expect(obstacleOf(place.setting)).toBeNull();
  });

  test('a linked work tree, whose repository lies elsewhere', () => {
    writeFileSync(`${place.root}/.git`, 'gitdir: /elsewhere\n');
    expect(obstacleOf(place.setting)).toContain('linked work tree');
  });

  test('a home folder in the workspace, since an overlay cannot write below itself', () => {
    process.env.HOME = `${place.root}/home`;
    expect(obstacleOf({ ...place.setting, home: `${place.root}/home` })).toContain('home folder');
  });

  test('a name that mount(8) would take apart', () => {
    expect(obstacleOf({ ...place.setting, root: `${place.base}/a,b` })).toContain('holds a character');
  });
});

test('what no command may change is found by the table of footprints, once, and never through a link', () => {
  for (const folder of ['.orchestration', '.claude/agents', '.git/hooks', '.git/info', 'src'])
    mkdirSync(`${place.root}/${folder}`, { recursive: true });
  for (const file of ['.git/config', '.mcp.json', 'src/a']) writeFileSync(`${place.root}/${file}`, '');
  symlinkSync('src/a', `${place.root}/CLAUDE.md`);
  expect([...guardedPlaces(place.root)].map((path) => path.slice(place.root.length + 1)).sort()).toEqual([
    '.claude',
    '.git/config',
    '.git/hooks',
    '.git/info',
    '.mcp.json',
    '.orchestration',
  ]);
});
