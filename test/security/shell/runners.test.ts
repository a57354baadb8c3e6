// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text is full of ${…}
import { describe, expect, it } from 'vitest';
import { read, type Summary, summaryOf } from './support.ts';

/**
 * Commands and what is read off them. Paths below /ws are given relative to it; `R` is recursive, `?dir` and
 * `?file` depend on what the destination is, `any` marks patterns whose `*` may hold slashes.
 */
type Row = readonly [command: string, expected: Partial<Summary>];

function check(rows: readonly Row[]): void {
  it.each(rows)('%s', (command, expected) => {
    const reading = read(command);
    expect(reading.problems).toEqual([]);
    expect(summaryOf(reading)).toEqual({
      targets: [],
      unread: [],
      opaque: [],
      background: false,
      ...expected,
    });
  });
}

describe('shells', () => {
  check([
    ["bash -c 'rm a'", { targets: ['delete a'] }],
    ["sh -c 'rm a'", { targets: ['delete a'] }],
    ["bash -lc 'rm a'", { targets: ['delete a'] }],
    ["bash -c 'rm $1' x a", { targets: ['delete a'] }],
    ["bash -ec 'rm a' -- b", { targets: ['delete a'] }],
    ['sh -c "bash -c \'rm a\'"', { targets: ['delete a'] }],
    ['eval rm a', { targets: ['delete a'] }],
    ["eval 'rm a; rm b'", { targets: ['delete a', 'delete b'] }],
    ['eval "rm $X"', { unread: ['delete * any'], opaque: ['eval'] }],
    ['bash -c "rm $X"', { unread: ['delete * any'], opaque: ['bash'] }],
    ['bash -c "$X"', { opaque: ['bash'] }],
    ['bash <<EOF\nrm a\nEOF', { targets: ['delete a'] }],
    ['bash <<"EOF"\nrm $a\nEOF', { unread: ['delete * any'] }],
    ['sh -s <<EOF\nrm a\nEOF', { targets: ['delete a'] }],
    ['bash -s x <<"EOF"\nrm $1\nEOF', { targets: ['delete x'] }],
    ['bash <<< "rm a"', { targets: ['delete a'] }],
    ["echo 'rm a' | sh", { targets: ['delete a'] }],
    ["printf 'rm %s\\n' a b | bash", { targets: ['delete a', 'delete b'] }],
    ['cat <<EOF | sh\nrm a\nEOF', { targets: ['delete a'] }],
    ['curl x | sh', { opaque: ['sh'] }],
    ['cat f | bash', { opaque: ['bash'] }],
    ['bash script.sh', { opaque: ['bash'] }],
    ['bash', { opaque: ['bash'] }],
    ['sh < f', { opaque: ['sh'] }],
    ['./run.sh a', { opaque: ['./run.sh'] }],
    ['source f', { opaque: ['source'] }],
    ['. ./f', { opaque: ['.'] }],
    ['bash <(curl x)', { opaque: ['bash'] }],
    ["D=a; bash -c 'rm $D'", { unread: ['delete * any'] }],
    ["export D=a; bash -c 'rm $D'", { targets: ['delete a'] }],
    ["D=a bash -c 'rm $D'", { targets: ['delete a'] }],
    ["cd src && bash -c 'rm a'", { targets: ['delete src/a'] }],
    ["bash -c 'cd src' && rm a", { targets: ['delete a'] }],
    ["eval 'cd src' && rm a", { targets: ['delete src/a'] }],
    ['bash --version', {}],
    ["bash -O extglob -c 'rm a'", { targets: ['delete a'] }],
    ["bash -o pipefail -c 'rm a'", { targets: ['delete a'] }],
  ]);
});

describe('wrappers', () => {
  check([
    ['env rm a', { targets: ['delete a'] }],
    ['env X=1 rm a', { targets: ['delete a'] }],
    ['env -i X=1 rm a', { targets: ['delete a'] }],
    ['env -u X rm a', { targets: ['delete a'] }],
    ["env -S 'rm a'", { targets: ['delete a'] }],
    ['sudo rm a', { targets: ['delete a'] }],
    ['sudo -u bob rm a', { targets: ['delete a'] }],
    ['sudo -- rm a', { targets: ['delete a'] }],
    ['sudo -n X=1 rm a', { targets: ['delete a'] }],
    ['doas rm a', { targets: ['delete a'] }],
    ['nohup rm a', { targets: ['delete a'], background: true }],
    ['timeout 5 rm a', { targets: ['delete a'] }],
    ['timeout -s KILL -k 1 5 rm a', { targets: ['delete a'] }],
    ['timeout --signal=KILL 5 rm a', { targets: ['delete a'] }],
    ['nice rm a', { targets: ['delete a'] }],
    ['nice -n 5 rm a', { targets: ['delete a'] }],
    ['ionice -c 3 rm a', { targets: ['delete a'] }],
    ['stdbuf -oL rm a', { targets: ['delete a'] }],
    ['/usr/bin/time -o t rm a', { targets: ['delete a', 'write t'] }],
    ['time -p rm a', { targets: ['delete a'] }],
    ['command rm a', { targets: ['delete a'] }],
    ['command -v rm', {}],
    ['builtin cd src && rm a', { targets: ['delete src/a'] }],
    ['exec rm a', { targets: ['delete a'] }],
    ['setsid rm a', { targets: ['delete a'], background: true }],
    ['chroot /x rm a', { targets: ['delete a'], opaque: ['chroot'] }],
    ['busybox rm a', { targets: ['delete a'] }],
    ['toybox rm a', { targets: ['delete a'] }],
    ["su bob -c 'rm a'", { targets: ['delete a'] }],
    ["su -c 'rm a'", { targets: ['delete a'] }],
    ["script -c 'rm a' log", { targets: ['delete a', 'write log'] }],
    ["script -qc 'rm a' /dev/null", { targets: ['delete a'] }],
    ["watch 'rm a'", { targets: ['delete a'] }],
    ['watch -n 1 rm a', { targets: ['delete a'] }],
    ['strace -o t rm a', { targets: ['delete a', 'write t'] }],
    ['flock l rm a', { targets: ['delete a', 'write l'] }],
    ["flock l -c 'rm a'", { targets: ['delete a', 'write l'] }],
    ['flock -n 9', {}],
    ['systemd-run rm a', { targets: ['delete a'], background: true }],
    ['env timeout 5 nice bash -c "rm a"', { targets: ['delete a'] }],
    ['env bash -c "cd src && rm a"', { targets: ['delete src/a'] }],
    ['sudo -D /x rm a', { targets: ['delete /x/a'] }],
    ['sudo', { opaque: ['sudo'] }],
    ['sudo -l', {}],
    ['\\env rm a', { targets: ['delete a'] }],
    ['command env rm a', { targets: ['delete a'] }],
    ['env env env rm a', { targets: ['delete a'] }],
  ]);
});

describe('finders', () => {
  check([
    ['find . -name "*.o" -delete', { unread: ['delete * R any'] }],
    ['find src -delete', { targets: ['delete src R'] }],
    ['find src -type f -exec rm {} \\;', { targets: ['delete src'], unread: ['delete src/* any'] }],
    ['find src -exec rm {} +', { targets: ['delete src'], unread: ['delete src/* any'] }],
    ['find . -exec sh -c \'rm "$1"\' _ {} \\;', { unread: ['delete * any'] }],
    ['find . -execdir rm {} \\;', { unread: ['delete **/* any'] }],
    ['find . -fprint out', { targets: ['write out'] }],
    ['find . -name x', {}],
    [
      'find a b -ok rm {} \\;',
      { targets: ['delete a', 'delete b'], unread: ['delete a/* any', 'delete b/* any'] },
    ],
    [
      'find . -exec mv {} {}.bak \\;',
      { unread: ['move-from * R any', 'move-to *.bak R any', 'move-to *.bak/* R any'] },
    ],
    ['ls | xargs rm', { unread: ['delete * any'], opaque: ['xargs'] }],
    ['echo a b | xargs rm', { targets: ['delete a', 'delete b'] }],
    ['printf "%s\\n" a b | xargs -n 1 rm', { targets: ['delete a', 'delete b'] }],
    ['find . -print0 | xargs -0 rm -f', { unread: ['delete * any'], opaque: ['xargs'] }],
    [
      'ls | xargs -I{} mv {} dst/',
      { targets: ['move-to dst R'], unread: ['move-from * R any', 'move-to dst/* R any'], opaque: ['xargs'] },
    ],
    ['echo a | xargs -I {} rm {}.bak', { targets: ['delete a.bak'] }],
    ['ls | xargs', {}],
    ['ls | xargs grep x', {}],
    ['cat l | xargs sh -c "rm a"', { targets: ['delete a'], opaque: ['xargs'] }],
    ['parallel rm ::: a b', { unread: ['delete * any'], opaque: ['parallel'] }],
    ['fd -e ts -x rm', { unread: ['delete * any'] }],
    ['xargs -a list rm', { unread: ['delete * any'], opaque: ['xargs'] }],
  ]);
});

describe('opaque', () => {
  check([
    ['python x.py', { opaque: ['python'] }],
    ['python -c "print(1)"', { opaque: ['python'] }],
    ['python --version', {}],
    ['python3.12 x.py', { opaque: ['python3.12'] }],
    ['node -e 1', { opaque: ['node'] }],
    ['perl x', { opaque: ['perl'] }],
    ['ruby x', { opaque: ['ruby'] }],
    ['make', { opaque: ['make'] }],
    ['npm install', { opaque: ['npm'] }],
    ['npm test', { opaque: ['npm'] }],
    ['npx tsc', { opaque: ['npx'] }],
    ['pip install x', { opaque: ['pip'] }],
    ['cargo build', { opaque: ['cargo'] }],
    ['docker run -d x', { opaque: ['docker'], background: true }],
    ['foo bar', { opaque: ['foo'] }],
    ['$X a', { opaque: ['*'] }],
    ['alias rm=echo', { opaque: ['alias'] }],
    ['PATH=. ls', { opaque: ['PATH'] }],
    ['export PATH=.:$PATH', { opaque: ['PATH'] }],
    ['LD_PRELOAD=x ls', { opaque: ['LD_PRELOAD'] }],
    ['GIT_PAGER=cat git log', {}],
    ['GIT_DIR=x git status', { opaque: ['GIT_DIR'] }],
    ['PAGER=cat git log', {}],
    ['EDITOR=vim git commit', { opaque: ['EDITOR'] }],
    ['hash -p /x ls', { opaque: ['hash'] }],
    ['enable -n cd', { opaque: ['enable'] }],
    ['echo ${X@P}', { opaque: ['expansion with @P'] }],
    ['jq . f', {}],
    ['./x', { opaque: ['./x'] }],
    ['/usr/bin/ls', {}],
    ['/x/ls', { opaque: ['/x/ls'] }],
    ['constructor', { opaque: ['constructor'] }],
    ['__proto__ x', { opaque: ['__proto__'] }],
  ]);
});
