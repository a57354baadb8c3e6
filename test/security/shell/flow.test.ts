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

describe('functions', () => {
  check([
    ['f() { rm "$1"; }; f a', { targets: ['delete a'] }],
    ['f() { rm "$1"; }; f a; f b', { targets: ['delete a', 'delete b'] }],
    ['f() { rm a; }', { targets: ['delete a'] }],
    ['f() { cd src; }; f; rm a', { targets: ['delete a', 'delete src/a'] }],
    ['function f { for x in "$@"; do rm $x; done; }; f a b', { targets: ['delete a', 'delete b'] }],
    ['f() { local d=$1; rm $d/x; }; f q', { targets: ['delete q/x'] }],
    ['rm() { echo no; }; rm a', { targets: ['delete a'], opaque: ['rm'] }],
    ['f() { f; }; f', { opaque: ['f'] }],
    ['cd() { :; }; cd src && rm a', { targets: ['delete a', 'delete src/a'], opaque: ['cd'] }],
    ['f() { return; rm a; }; f', { targets: ['delete a'] }],
    ['f() { cd src && return; cd lib; }; f; rm a', { targets: ['delete a', 'delete lib/a', 'delete src/a'] }],
  ]);
});

describe('folders', () => {
  check([
    ['cd src && rm a', { targets: ['delete src/a'] }],
    ['cd src; rm a', { targets: ['delete a', 'delete src/a'] }],
    ['cd src || exit; rm a', { targets: ['delete src/a'] }],
    ['cd src || { echo no; exit 1; }; rm a', { targets: ['delete src/a'] }],
    ['(cd src && rm a); rm b', { targets: ['delete b', 'delete src/a'] }],
    ['cd .. && rm a', { targets: ['delete /a'] }],
    ['cd / && rm a', { targets: ['delete /a'] }],
    ['cd && rm a', { targets: ['delete /home/u/a'] }],
    ['cd ~ && rm a', { targets: ['delete /home/u/a'] }],
    ['cd $X && rm a', { unread: ['delete **/a any'] }],
    ['cd $X && rm /a', { targets: ['delete /a'] }],
    ['cd src && cd - && rm a', { targets: ['delete a'] }],
    ['cd src && cd .. && rm a', { targets: ['delete a'] }],
    ['pushd src && rm a && popd && rm b', { targets: ['delete b', 'delete src/a'] }],
    ['cd src && rm ../a', { targets: ['delete src/../a'] }],
    ['cd a/../b && rm c', { targets: ['delete b/c'] }],
    ['cd -P src && rm a', { unread: ['delete **/a any'] }],
    ['if cd src; then rm a; fi', { targets: ['delete src/a'] }],
    ['! cd src && rm a', { targets: ['delete a'] }],
    ['cd src & rm a', { targets: ['delete a'], background: true }],
    ['cd src | rm a', { targets: ['delete a'] }],
    ['cd .; rm a', { targets: ['delete a'] }],
    ['{ cd src; } && rm a', { targets: ['delete src/a'] }],
    ['cd src && { rm a; rm b; }', { targets: ['delete src/a', 'delete src/b'] }],
    ['CDPATH=/x; cd src && rm a', { unread: ['delete **/a any'], opaque: ['CDPATH'] }],
    ['for d in a b; do (cd $d && rm x); done', { targets: ['delete a/x', 'delete b/x'] }],
    ['env -C src rm a', { targets: ['delete src/a'] }],
    ['git -C src rm a', { targets: ['delete src/a R'] }],
  ]);
});

describe('redirections', () => {
  check([
    ['echo x > a', { targets: ['write a'] }],
    ['echo x >> a', { targets: ['write a'] }],
    ['echo x >| a', { targets: ['write a'] }],
    ['echo x &> a', { targets: ['write a'] }],
    ['echo x &>> a', { targets: ['write a'] }],
    ['echo x >& a', { targets: ['write a'] }],
    ['cat <> a', { targets: ['write a'] }],
    ['echo x > "a b"', { targets: ['write a b'] }],
    ['echo x 2> err', { targets: ['write err'] }],
    ['echo x > a 2>&1', { targets: ['write a'] }],
    ['echo x >&2', {}],
    ['echo x 2>&-', {}],
    ['echo x > /dev/null', {}],
    ['echo x > /dev/fd/3', {}],
    ['echo x > /dev/tty', {}],
    ['echo x > /dev/stderr', {}],
    ['exec 3> log', { targets: ['write log'] }],
    ['echo x {fd}> a', { targets: ['write a'] }],
    ['cat < a', {}],
    ['> a', { targets: ['write a'] }],
    [': > a', { targets: ['write a'] }],
    ['{ echo a; echo b; } > out', { targets: ['write out'] }],
    ['(echo a) > out', { targets: ['write out'] }],
    ['for i in 1 2; do echo $i; done > out', { targets: ['write out'] }],
    ['while read l; do echo $l; done < in > out', { targets: ['write out'] }],
    ['if true; then echo; fi >> out', { targets: ['write out'] }],
    ['echo x > $X', { unread: ['write * any'] }],
    ['echo x > "$X".log', { unread: ['write *.log any'] }],
    ['echo x > a > b', { targets: ['write a', 'write b'] }],
    ['cat <<EOF > out\nhi $X\nEOF', { targets: ['write out'] }],
    ['cat > out <<"EOF"\nrm b\nEOF', { targets: ['write out'] }],
    ['echo x > >(tee a)', { targets: ['write a'] }],
    ['diff <(rm a) <(rm b)', { targets: ['delete a', 'delete b'] }],
    ['f() { echo; } > log; f', { targets: ['write log'] }],
    ['[[ a > b ]]', {}],
    ['(( 1 > 2 ))', {}],
    ['echo "a > b"', {}],
    ['coproc cat > a', { targets: ['write a'], background: true }],
    ['echo x > {a,b}', { targets: ['write a', 'write b'] }],
  ]);
});

describe('nesting', () => {
  check([
    ['echo $(rm a)', { targets: ['delete a'] }],
    ['echo `rm a`', { targets: ['delete a'] }],
    ['echo "$(rm a)"', { targets: ['delete a'] }],
    ['echo ${X:-$(rm a)}', { targets: ['delete a'] }],
    ['X=$(rm a)', { targets: ['delete a'] }],
    ['cat <<EOF\n$(rm a)\nEOF', { targets: ['delete a'] }],
    ['[[ -f $(rm a) ]]', { targets: ['delete a'] }],
    ['(( $(rm a) ))', { targets: ['delete a'] }],
    ['a[$(rm b)]=1', { targets: ['delete b'] }],
    [
      'if rm a; then rm b; elif rm c; then rm d; else rm e; fi',
      { targets: ['delete a', 'delete b', 'delete c', 'delete d', 'delete e'] },
    ],
    ['while rm a; do rm b; done', { targets: ['delete a', 'delete b'] }],
    ['until rm a; do rm b; done', { targets: ['delete a', 'delete b'] }],
    ['case $X in a) rm a;; $(rm b)) rm c;; esac', { targets: ['delete a', 'delete b', 'delete c'] }],
    ['case x in a) rm a;& b) rm b;; esac', { targets: ['delete a', 'delete b'] }],
    ['for ((i=0;i<3;i++)); do rm a; done', { targets: ['delete a'] }],
    ['select x in a b; do rm $x; done', { targets: ['delete a', 'delete b'] }],
    ['rm a && rm b || rm c; rm d', { targets: ['delete a', 'delete b', 'delete c', 'delete d'] }],
    ['rm a | rm b |& rm c', { targets: ['delete a', 'delete b', 'delete c'] }],
    ['! rm a', { targets: ['delete a'] }],
    ['time rm a', { targets: ['delete a'] }],
    ['rm a & rm b', { targets: ['delete a', 'delete b'], background: true }],
    ['{ rm a; }', { targets: ['delete a'] }],
    ['( ( rm a ) )', { targets: ['delete a'] }],
    ['exit; rm a', { targets: ['delete a'] }],
    ['trap "rm a" EXIT', { targets: ['delete a'] }],
    ['for f in $(rm a); do :; done', { targets: ['delete a'] }],
    ['echo $((1 + $(rm a; echo 1)))', { targets: ['delete a'] }],
  ]);
});

describe('background', () => {
  check([
    ['sleep 1 &', { background: true }],
    ['nohup sleep 1', { background: true }],
    ['setsid sleep 1', { background: true }],
    ['disown', { background: true }],
    ['coproc sleep 1', { background: true }],
    ['(sleep 1 &)', { background: true }],
    ['bash -c "sleep 1 &"', { background: true }],
    ['crontab -l', {}],
    ['crontab f', { opaque: ['crontab'], background: true }],
    ['echo "rm a" | at now', { targets: ['delete a'], opaque: ['at'], background: true }],
    ['batch', { opaque: ['batch'], background: true }],
    ['tmux new -d x', { opaque: ['tmux'], background: true }],
    ['screen -dmS x', { opaque: ['screen'], background: true }],
    ['tmux ls', {}],
    ['systemctl start x', { opaque: ['systemctl'], background: true }],
    ['systemctl status x', {}],
    ['f() { sleep 1 & }; f', { background: true }],
    ['echo $(sleep 1 &)', { background: true }],
    ['echo a \\& b', {}],
    ['echo "&"', {}],
    ['a && b', { opaque: ['a', 'b'] }],
    ['wget -qb u', { targets: ['write index.html'], unread: ['write index.html.*'], background: true }],
  ]);
});
