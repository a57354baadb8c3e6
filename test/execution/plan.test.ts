import { describe, expect, test } from 'vitest';
import { type PlanFacts, planContainer, unspeakable } from '../../src/execution/plan.ts';
import { wordsFor } from '../../src/execution/probe.ts';

const facts: PlanFacts = {
  run: '/home/u/.pactclaw/exec/k/runs/1',
  skeleton: '/home/u/.pactclaw/exec/skeleton',
  root: '/home/u/my project',
  scratch: ['/tmp'],
  caches: ['/home/u/.npm'],
  guarded: ['/home/u/my project/.orchestration'],
  hiddenFolders: ['/home/u/.ssh'],
  hiddenFiles: ['/home/u/secret'],
  keptInRun: ['/run/systemd/resolve'],
  procPlaces: ['/proc/sys'],
  mounts: [
    { place: '/', writable: true },
    { place: '/home', writable: true },
    { place: '/snap/x', writable: false },
    { place: '/dev/pts', writable: true },
    { place: '/run/user/1000', writable: true },
    { place: '/tmp/other', writable: true },
    { place: '/sys', writable: true },
    { place: '/sys/fs/cgroup/user', writable: true },
  ],
  uid: 1000,
};

describe('the plan of a container', () => {
  test('makes every writable mount that stays in sight read-only', () => {
    expect(planContainer(facts).files.readonly).toBe('/\n/home\n/sys\n');
    expect(planContainer({ ...facts, uid: 0 }).files.readonly).toBe('/\n/home\n');
  });

  test('writes names as fstab(5) wants them, and takes a view from below', () => {
    const { files, layers } = planContainer(facts);
    expect(files['mounts.1']).toContain(
      `pactclaw ${facts.run}/0/merged overlay lowerdir=/home/u/my\\040project,upperdir=${facts.run}/0/upper,`,
    );
    expect(layers.map(({ folder }) => folder)).toEqual(['/home/u/my project', '/tmp']);
  });

  test('covers scratch before the workspace, which may lie in it, and governing files after it', () => {
    const lines = planContainer(facts).files['mounts.2']?.split('\n') ?? [];
    const at = (part: string) => lines.findIndex((line) => line.includes(part));
    expect(at(' /tmp none bind')).toBeLessThan(at(' /home/u/my\\040project none bind'));
    expect(at(' /home/u/my\\040project none bind')).toBeLessThan(at('.orchestration none bind,ro'));
    expect(at(' /home/u/.npm none bind')).toBeGreaterThan(0);
    expect(at(' /home/u/.ssh tmpfs mode=500,ro')).toBeGreaterThan(at('.orchestration'));
  });

  test('an ordinary user covers the groups of processes; root mounts /proc itself', () => {
    expect(planContainer(facts).files['mounts.2']).toContain('/empty /sys/fs/cgroup none bind');
    expect(planContainer(facts).files['mounts.3']).toContain('/proc/sys /proc/sys none bind,ro');
  });

  test.each(['/a,b', '/a:b', '/a"b', '/a\\b', '/a\nb'])(
    'a path that overlays cannot be told of: %j',
    (path) => {
      expect(unspeakable(path)).toContain('holds a character');
      expect(unspeakable('/a b/ü')).toBeNull();
    },
  );
});

describe('why there is no container, in words', () => {
  test.each([
    ['unshare: unshare failed: Operation not permitted', 'user namespaces are closed here'],
    ['unshare: write failed /proc/self/uid_map: Operation not permitted', 'this user cannot be mapped'],
    ['unshare: unshare failed: No space left on device', 'max_user_namespaces'],
    ["mount: /x: unknown filesystem type 'overlay'.", 'no overlay file system'],
    ['mount: /x: wrong fs type, bad option, bad superblock', 'cannot be mounted over this file system'],
    ['spawn unshare ENOENT', 'is not installed'],
    ['something else', 'something else'],
  ])('%s', (failure, words) => {
    expect(wordsFor(failure)).toContain(words);
  });
});
