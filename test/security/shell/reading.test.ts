// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text is full of ${…}
import { describe, expect, it } from 'vitest';
import { read, summaryOf } from './support.ts';

describe('a reading', () => {
  it('lists every command at any depth by its basename', () => {
    const { commands } = read(
      '/bin/ls | env sh -c "cat <(wc -l)"; f() { nl; }; x=$(tac) && if od; then :; fi',
    );
    expect([...commands].sort()).toEqual([':', 'cat', 'env', 'ls', 'nl', 'od', 'sh', 'tac', 'wc'].sort());
  });

  it('gives argv with null for what cannot be read, for wrappers and what they run', () => {
    const { invocations } = read('cd src && sudo pactclaw "$X" a*');
    expect(invocations).toContainEqual({ argv: ['sudo', 'pactclaw', null, null], cwd: '/ws/src' });
    expect(invocations).toContainEqual({ argv: ['pactclaw', null, null], cwd: '/ws/src' });
  });

  it('gives no folder to an invocation that may stand in several', () => {
    expect(read('cd src; ls').invocations).toContainEqual({ argv: ['ls'], cwd: null });
  });

  it.each([
    ["python3 -c \"open('.orchestration/x', 'w')\"", '.orchestration/x'],
    ['node <<E\nfs.rmSync(".orchestration")\nE', '.orchestration'],
    ['foo --out=.orchestration/x', '.orchestration/x'],
    ['D=.orchestration; foo $D', '.orchestration'],
    ['foo "$X/.orchestration"', '/.orchestration'],
    ['for f in .orchestration; do foo $f; done', '.orchestration'],
    ['foo < .orchestration/x', '.orchestration/x'],
    ['foo $(echo .orchestration)', '.orchestration'],
  ])('mentions the path in %s', (command, word) => {
    expect(read(command).words).toContain(word);
  });

  it('does not take the data of a here-document for a mention unless something opaque may run it', () => {
    expect(read('cat > a <<E\nsee .orchestration/x\nE').words).not.toContain('.orchestration/x');
    expect(read('cat <<E | python\nsee .orchestration/x\nE').words).toContain('.orchestration/x');
  });

  it.each([
    ['ln -s .orchestration l; echo x > l/a', 'write .orchestration/a'],
    ['ln .orchestration/a l && echo x > l', 'write .orchestration/a'],
    ['ln -s .. l; cd l && rm a', 'delete ../a'],
    ['cp -s .orchestration/a l; tee l', 'write .orchestration/a'],
  ])('follows the link made in %s', (command, target) => {
    expect(summaryOf(read(command)).targets).toContain(target);
  });

  it('says so when a link may lead anywhere', () => {
    expect(summaryOf(read('ln -s "$X" l; echo x > l')).opaque).toEqual(['ln']);
    expect(summaryOf(read('ln -s "$X" l')).opaque).toEqual([]);
  });

  it.each([
    ['cp a b', ['write b ?file', 'write b/a ?dir']],
    ['mkdir b; cp a b', ['write b', 'write b/a']],
    ['rm -r b; cp a b', ['delete b R', 'write b', 'write b/a']],
    ['make; cp a b', ['write b', 'write b/a']],
  ])('leaves nothing to the disk that the command may change first: %s', (command, targets) => {
    expect(summaryOf(read(command)).targets).toEqual(targets);
  });
});
