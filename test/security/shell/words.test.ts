// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text is full of ${…}
import { describe } from 'vitest';
import { check } from './table.ts';

describe('quoting', () => {
  check([
    ['"r"m a', { targets: ['delete a'] }],
    ['r\\m a', { targets: ['delete a'] }],
    ["$'\\x72\\x6d' a", { targets: ['delete a'] }],
    ['rm "a b"', { targets: ['delete a b'] }],
    ["rm 'a b'", { targets: ['delete a b'] }],
    ['rm a\\ b', { targets: ['delete a b'] }],
    ["rm $'a\\tb'", { targets: ['delete a	b'] }],
    ['rm a"b"\'c\'', { targets: ['delete abc'] }],
    ['rm "a\\$b"', { targets: ['delete a$b'] }],
    ["rm 'it'\\''s'", { targets: ["delete it's"] }],
    ['rm "*"', { targets: ['delete *'] }],
    ['rm a\\*', { targets: ['delete a*'] }],
    ['rm -- "-a b"', { targets: ['delete -a b'] }],
    ['rm $"loc"', { targets: ['delete loc'] }],
    ['rm é"ü"', { targets: ['delete éü'] }],
    ['rm a\\\nb', { targets: ['delete ab'] }],
  ]);
});

describe('tilde', () => {
  check([
    ['rm ~/x', { targets: ['delete /home/u/x'] }],
    ['rm ~', { targets: ['delete /home/u'] }],
    ['rm "~/x"', { targets: ['delete ~/x'] }],
    ['rm ~root/x', { targets: ['delete /root/x'] }],
    ['rm ~bob/x', { unread: ['delete */x any'] }],
    ['rm ~+/x', { targets: ['delete x'] }],
    ['D=~/y; rm $D', { targets: ['delete /home/u/y'] }],
    ['dd if=a of=~/x', { targets: ['write /home/u/x'] }],
    ['HOME=/h; rm ~/x', { targets: ['delete /h/x'] }],
    ['rm \\~/x', { targets: ['delete ~/x'] }],
    ['echo x > ~/y', { targets: ['write /home/u/y'] }],
  ]);
});

describe('braces and globs', () => {
  check([
    ['rm {a,b}', { targets: ['delete a', 'delete b'] }],
    ['rm a{1..3}', { targets: ['delete a1', 'delete a2', 'delete a3'] }],
    ['rm {a,b}{c,d}', { targets: ['delete ac', 'delete ad', 'delete bc', 'delete bd'] }],
    ['rm "{a,b}"', { targets: ['delete {a,b}'] }],
    ['rm {a,{b,c}}', { targets: ['delete a', 'delete b', 'delete c'] }],
    ['rm {a,$X}', { targets: ['delete a'], unread: ['delete * any'] }],
    ['rm *.ts', { unread: ['delete *.ts'] }],
    ['rm src/[ab].ts', { unread: ['delete src/*.ts'] }],
    ['rm a?', { unread: ['delete a?'] }],
    ['rm .orch*', { unread: ['delete .orch*'] }],
    ['rm -rf .orch{es,}*', { unread: ['delete .orch* R', 'delete .orches* R'] }],
    ['rm {a}', { targets: ['delete {a}'] }],
    ['rm a{,.bak}', { targets: ['delete a', 'delete a.bak'] }],
    ['rm {01..03}', { targets: ['delete 01', 'delete 02', 'delete 03'] }],
    ['rm {c..a}', { targets: ['delete a', 'delete b', 'delete c'] }],
    ['rm src/**/*.ts', { unread: ['delete src/*/*.ts'] }],
    ['rm {a,b\\,c}', { targets: ['delete a', 'delete b,c'] }],
    ['touch x{1..9..4}', { targets: ['write x1', 'write x5', 'write x9'] }],
  ]);
});

describe('variables', () => {
  check([
    ['D=.orchestration; rm -rf $D', { targets: ['delete .orchestration R'] }],
    ['D=a; rm "$D/x" ${D}y', { targets: ['delete a/x', 'delete ay'] }],
    ['export D=a; rm $D', { targets: ['delete a'] }],
    ['D=a rm $D', { unread: ['delete * any'] }],
    ['rm $X', { unread: ['delete * any'] }],
    ['rm "$X/a"', { unread: ['delete */a any'] }],
    ['rm src/$X', { unread: ['delete src/* any'] }],
    ['rm $HOME/x', { targets: ['delete /home/u/x'] }],
    ['rm ${HOME}/x "$PWD/y"', { targets: ['delete /home/u/x', 'delete y'] }],
    ['F="a b"; rm $F', { targets: ['delete a', 'delete b'] }],
    ['F="a b"; rm "$F"', { targets: ['delete a b'] }],
    ['F="*.o"; rm $F', { unread: ['delete *.o'] }],
    ['F="*.o"; rm "$F"', { targets: ['delete *.o'] }],
    ['D=a; D=$D/b; rm $D', { targets: ['delete a/b'] }],
    ['D=a; D+=b; rm $D', { targets: ['delete ab'] }],
    ['if x; then D=a; else D=b; fi; rm $D', { targets: ['delete a', 'delete b'], opaque: ['x'] }],
    ['D=a; unset D; rm $D', { unread: ['delete * any'] }],
    ['rm ${D:-a}', { unread: ['delete * any'] }],
    ['D=; rm ${D:-a}', { targets: ['delete a'] }],
    ['D=x; rm ${D:-a}', { targets: ['delete x'] }],
    ['F=a.ts; rm ${F%.ts}.js', { targets: ['delete a.js'] }],
    ['F=src/a.ts; rm ${F##*/}', { targets: ['delete a.ts'] }],
    ['read D; rm $D', { unread: ['delete * any'] }],
    ['D=a; read D; rm $D', { unread: ['delete * any'] }],
    ['D=a; ((D=1)); rm $D', { unread: ['delete * any'] }],
    ['for f in a b; do rm $f; done', { targets: ['delete a', 'delete b'] }],
    [
      'for f in a b; do mv $f $f.bak; done',
      {
        targets: [
          'move-from a R',
          'move-from b R',
          'move-to a.bak R ?file',
          'move-to a.bak/a R ?dir',
          'move-to b.bak R ?file',
          'move-to b.bak/b R ?dir',
        ],
      },
    ],
    ['for f in *.ts; do rm "$f"; done', { unread: ['delete *.ts'] }],
    ['for f in $(ls); do rm "$f"; done', { unread: ['delete * any'] }],
    ['for f; do rm $f; done', { unread: ['delete * any'] }],
    ['for i in {1..3}; do touch f$i; done', { targets: ['write f1', 'write f2', 'write f3'] }],
    ['while read f; do rm "$f"; done < list', { unread: ['delete * any'] }],
    ['set -- a b; rm "$@"', { targets: ['delete a', 'delete b'] }],
    ['set -- a b; rm $2', { targets: ['delete b'] }],
    ['D=$(mktemp -d); rm -rf "$D"', { unread: ['delete /tmp/tmp.* R', 'write /tmp/tmp.*'] }],
    ['D=$(pwd); rm $D/x', { targets: ['delete x'] }],
    ['D=$(dirname src/a.ts); rm $D/b', { targets: ['delete src/b'] }],
    ['D="$(echo a)"; rm $D/x', { targets: ['delete a/x'] }],
    ['a=(x y); rm "${a[@]}"', { unread: ['delete * any'] }],
    ['IFS=,; D=a,b; rm $D', { unread: ['delete * any'], opaque: ['IFS'] }],
    ['D=a; for i in 1 2; do rm $D; D=b; done', { targets: ['delete a'], unread: ['delete * any'] }],
    ['local D=a; rm $D', { targets: ['delete a'] }],
    ['readonly D=a; rm $D', { targets: ['delete a'] }],
    ['printf -v D x; rm $D', { targets: ['delete x'] }],
  ]);
});
