import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyJournal, journalOf } from '../../src/execution/commit.ts';
import { ContainerPlace, describeContained } from '../support/containers.ts';

// Generous, because it shares a small machine with the rest of the suite.
vi.setConfig({ testTimeout: 300_000 });

let place: ContainerPlace;
beforeEach(() => {
  place = new ContainerPlace();
});
afterEach(() => place[Symbol.dispose]());

/** Everything below a folder: kind, rights and content of each name. */
function treeOf(folder: Buffer, prefix = ''): string[] {
  return readdirSync(folder, { encoding: 'buffer' }).flatMap((base) => {
    const file = Buffer.concat([folder, Buffer.from('/'), base]);
    const name = `${prefix}${base.toString('latin1')}`;
    const stat = lstatSync(file);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) return [`${name} -> ${readlinkSync(file)}`];
    if (stat.isDirectory()) return [`${name}/ ${mode}`, ...treeOf(file, `${name}/`)];
    return [`${name} ${mode} ${readFileSync(file, 'latin1')}`];
  });
}

const sorted = (folder: string): string[] => treeOf(Buffer.from(folder)).sort();

const NAMES = ['a', 'b', 'd', 'd/x', 'd/y', 'e', 'e/f', 'e/f/z', "$'n\\nl'", "$'d/\\xff'"];
const name = fc.constantFrom(...NAMES);
const text = fc.constantFrom('1', '22', '333');

/** A change that a shell makes; one that cannot be made does nothing. */
const change = fc.oneof(
  fc.tuple(name, text).map(([at, word]) => `echo ${word} > ${at}`),
  fc.tuple(name, text).map(([at, word]) => `echo ${word} >> ${at}`),
  name.map((at) => `rm -rf ${at}`),
  name.map((at) => `rm -rf ${at} && mkdir ${at}`),
  name.map((at) => `mkdir -p ${at}`),
  fc.tuple(name, name).map(([from, to]) => `mv -T ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `ln -sfT ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `cp -a ${from} ${to}`),
  fc.tuple(fc.constantFrom('700', '755', '644', '600'), name).map(([mode, at]) => `chmod ${mode} ${at}`),
  name.map((at) => `touch ${at}`),
);
const scriptOf = (lines: readonly string[]): string =>
  lines.map((line) => `{ ${line}; } 2>/dev/null || true`).join('\n');

describeContained('what a command changed', () => {
  test('brought into the real tree gives what the command would have made of it', async () => {
    expect(await place.why()).toBeNull();
    const lines = fc.array(change, { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(lines, lines, async (before, during) => {
        const plain = `${place.base}/plain`;
        for (const folder of [plain, place.root]) rmSync(folder, { recursive: true, force: true });
        execFileSync('mkdir', [place.root]);
        spawnSync('bash', ['-c', scriptOf(before)], { cwd: place.root });
        execFileSync('sh', ['-c', `rm -rf '${plain}' && cp -a '${place.root}' '${plain}'`]);
        spawnSync('bash', ['-c', scriptOf(during)], { cwd: plain });
        const { run, changes } = await place.run(scriptOf(during));
        const [layer] = run.layers;
        expect(layer).toBeDefined();
        if (layer)
          expect(
            applyJournal(journalOf({ id: 'id', run: run.folder, record: null }, layer, changes)),
          ).toEqual([]);
        expect(sorted(place.root)).toEqual(sorted(plain));
      }),
      { numRuns: Number(process.env.PACTCLAW_FUZZ ? 300 : 20) },
    );
  });
});
