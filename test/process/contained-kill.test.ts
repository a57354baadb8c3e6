import { mkdirSync, readdirSync, rmSync, watch } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { executionPlaces } from '../../src/execution/places.ts';
import { ContainedWorkspace, endOf } from '../support/contained.ts';
import { describeContained } from '../support/containers.ts';

const FILES = 1_000;
const ROUNDS = process.env.PACTCLAW_FUZZ ? 200 : 5;
vi.setConfig({ testTimeout: ROUNDS * 60_000 });

let place: ContainedWorkspace;
const temporary = process.env.TMPDIR;
beforeEach(() => {
  process.env.TMPDIR = '/var/tmp';
  place = new ContainedWorkspace([{ id: 'INT-001', budget: '{max_turns: 100000}' }], ['src/secret.ts']);
});
afterEach(() => {
  place[Symbol.dispose]();
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
});

/** Waits until a commit has begun, or the process has ended. */
function begun(commits: string, ended: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const eye = watch(commits, () => finish());
    const finish = () => {
      eye.close();
      resolve();
    };
    void ended.then(finish);
  });
}

describeContained('a commit', () => {
  test(`of ${FILES} files that is killed has happened, with its record, or has not`, async () => {
    const { commits } = executionPlaces(place.root);
    mkdirSync(commits, { recursive: true });
    const seen = { before: 0, after: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const agent = place.agent(`s${round}`);
      await agent.begin('INT-001');
      const folder = `src/components/${round}`;
      const command = `mkdir -p ${folder}; for i in $(seq ${FILES}); do echo $i > ${folder}/$i.ts; done`;
      const call = agent.call({ tool: 'shell', kind: 'execute', command }, { command });
      const origin = { sessionId: agent.id, host: 'claude-code', transcript: null };
      const { text } = await place.engine.preToolUse({ ...origin, call });
      expect(text).toBeNull();
      const child = place.start(agent.id, command);
      const ended = endOf(child);
      await begun(commits, ended);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 250));
      child.kill('SIGKILL');
      await ended;
      // The next event of any session finishes what was begun.
      const { alarm } = await place.engine.postToolUse({ ...origin, call, ok: false, result: null });
      expect(alarm).toBeNull();
      const names = readdirSync(`${place.root}/src`).includes('components')
        ? readdirSync(`${place.root}/src/components`, { recursive: true, encoding: 'utf8' })
        : [];
      const count = names.filter((name) => name.startsWith(`${round}/`)).length;
      const recorded = place.trace().filter(({ path }) => path?.startsWith(`${folder}/`)).length;
      expect([count, recorded]).toEqual(count === 0 ? [0, 0] : [FILES, FILES]);
      expect(names.filter((name) => name.includes('.pactclaw'))).toEqual([]);
      expect(readdirSync(commits)).toEqual([]);
      // So many files would make the scope too broad for the next handshake.
      rmSync(`${place.root}/src/components`, { recursive: true, force: true });
      seen[count === 0 ? 'before' : 'after'] += 1;
    }
    expect(seen.before + seen.after).toBe(ROUNDS);
    if (process.env.PACTCLAW_FUZZ) expect(Math.min(seen.before, seen.after)).toBeGreaterThan(0);
  });
});
