import { expect, test } from 'vitest';
import { FOOTPRINTS } from '../../src/core/footprints/index.ts';
import { homePlace } from '../../src/hosts/shared/install/home-place.ts';

const machine = (env: Record<string, string>) => ({
  project: null,
  home: '/home/ada',
  platform: 'linux',
  env: (name: string) => env[name],
});

const MOVED = FOOTPRINTS.flatMap((footprint) =>
  (footprint.moved ?? []).map((moved) => [moved.variable, moved, footprint] as const),
);

test.each(MOVED)('%s puts a folder elsewhere, empty it does not', (variable, { from, below }, footprint) => {
  const there = `/else${below === undefined ? '' : `/${below}`}`;
  expect(homePlace(footprint, machine({ [variable]: '/else' }), from)).toBe(there);
  expect(homePlace(footprint, machine({ [variable]: '/else' }), `${from}/a/b`)).toBe(`${there}/a/b`);
  expect(homePlace(footprint, machine({ [variable]: '/else' }), `${from}-other`)).toBe(
    `/home/ada/${from}-other`,
  );
  for (const env of [{}, { [variable]: '' }])
    expect(homePlace(footprint, machine(env), `${from}/a`)).toBe(`/home/ada/${from}/a`);
});

test('the deepest folder that a variable names counts', () => {
  const moved = [
    { variable: 'OUTER', from: '.x' },
    { variable: 'INNER', from: '.x/data' },
  ];
  const both = machine({ OUTER: '/outer', INNER: '/inner' });
  expect(homePlace({ moved }, both, '.x/data/a')).toBe('/inner/a');
  expect(homePlace({ moved }, both, '.x/hooks')).toBe('/outer/hooks');
});
