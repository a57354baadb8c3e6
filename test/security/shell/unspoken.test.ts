// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text is full of ${…}
import { describe } from 'vitest';
import { check } from './table.ts';

const ANYWHERE = { unread: ['delete * any'] };

describe('F-19: a path that is put together is read, or is unknown, and never another one', () => {
  check([
    ['cd -P lib && rm x', { unread: ['delete **/x any'] }],
    ['CDPATH=/out; cd lib && rm x', { unread: ['delete **/x any'], opaque: ['CDPATH'] }],
    ['CDPATH=/out cd lib && rm x', { unread: ['delete **/x any'], opaque: ['CDPATH'] }],
    ['export CDPATH=/out; cd lib && rm x', { unread: ['delete **/x any'], opaque: ['CDPATH'] }],
    ['bash -c \'rm "$0"\' F', ANYWHERE],
    ['a=(x /out/y); rm "${a[1]}"', ANYWHERE],
    ['a=(x /out/y); rm "${a[@]}"', ANYWHERE],
    ['a=x; a=(y z); rm $a', ANYWHERE],
    ['p=x/out/f; rm "${p:1}"', { targets: ['delete /out/f'] }],
    ['p=abcdef; rm "${p:1:2}" "${p:1:-2}"', { targets: ['delete bc', 'delete bcd'] }],
    ['p=abc; rm "${p: -1}"', ANYWHERE],
    ['p=abc; rm "${p:n}"', ANYWHERE],
    ['p=q; q=/out/f; rm "${!p}"', { targets: ['delete /out/f'] }],
    ['rm "${!p}"', ANYWHERE],
    ['read p <<< /out/f; rm "$p"', { targets: ['delete /out/f'], ...ANYWHERE }],
    ['printf -v p %s /out/f; rm "$p"', { targets: ['delete /out/f'] }],
    ['printf -v p %d 3; rm "$p"', ANYWHERE],
    ["source /dev/stdin <<< 'rm /out/f'", { targets: ['delete /out/f'] }],
    ['. /dev/stdin <<E\ncd /out\nE\nrm f', { targets: ['delete /out/f', 'delete f'] }],
    ['rm f$((1))', { unread: ['delete f* any'] }],
    ['hash -p /bin/rm ls; ls x', { opaque: ['hash'] }],
    ["let 'a[$(rm x)]=1'", { targets: ['delete x'], opaque: ['let'] }],
    ["test -v 'a[$(rm x)]'", { targets: ['delete x'], opaque: ['test'] }],
    ["printf -v 'a[`rm x`]' y", { targets: ['delete x'], opaque: ['printf'] }],
    ["printf '[$(rm x)]'", {}],
    ['declare -n r=p; p=a; r=/out; rm $p', { targets: ['delete a'], opaque: ['declare'] }],
    ['openssl enc -in a -out /out/f', { targets: ['write /out/f'], opaque: ['openssl'] }],
    [
      'openssl req -x509 -keyout k.pem -out c.pem',
      { targets: ['write c.pem', 'write k.pem'], opaque: ['openssl'] },
    ],
    ['openssl rand -hex 16', { opaque: ['openssl'] }],
    [
      "tar cf /dev/null --checkpoint=1 --checkpoint-action=exec='rm x' f",
      { targets: ['delete x'], opaque: ['tar'] },
    ],
  ]);
});
