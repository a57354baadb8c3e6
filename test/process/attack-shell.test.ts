import fs from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { python, Siege } from './support/attack.ts';

/**
 * Commands that write outside the scope. Some are refused by their text, the others are undone; which of the two it
 * is does not matter here, what the files say afterwards does.
 */
const siege = new Siege();
afterAll(() => siege.remove());

const S = 'src/secret.ts';

describe('a file outside the scope is as it was after', () => {
  it.each([
    ['a subshell', `(cd src && (echo EVIL > secret.ts))`],
    ['a here-document', `cat > ${S} <<X\nEVIL\nX`],
    ['eval', `eval "echo EVIL > ${S}"`],
    ['text that is decoded and run', `echo ${btoa(`echo EVIL > ${S}`)} | base64 -d | sh`],
    ['a variable', `f=secret; echo EVIL > "src/$f.ts"`],
    [
      'a script of the scope',
      `printf 'echo EVIL > src/sec*.ts' > src/components/x.sh; sh src/components/x.sh`,
    ],
    ['a function named like a reader', `cat() { echo EVIL > "src/$1"; }; cat secret.ts`],
    ['tee in a pipe', `echo EVIL | tee -a ${S} > /dev/null`],
    ['sed in place', `sed -i s/untouched/EVIL/ ${S}`],
    ['dd', `echo EVIL | dd of=${S} conv=notrunc`],
    ['cp onto it', `echo EVIL > src/components/e && cp --no-preserve=mode src/components/e ${S}`],
    ['a move of its folder', 'mv src src2'],
    ['a move into the scope', `mv ${S} src/components/`],
    ['a link and a write through it', `ln -s ../secret.ts src/components/l; echo EVIL > src/components/l`],
    ['a hard link and a write through it', `ln ${S} src/components/h; echo EVIL > src/components/h`],
    [
      'a link made by a program',
      python(`os.symlink('../secret.ts','src/components/l');open('src/components/l','w').write('EVIL')`),
    ],
    ['find -delete', 'find src -name "s*.ts" -delete'],
    ['find -exec', `find src -name secret.ts -exec sh -c 'echo EVIL > "$1"' _ {} \\;`],
    ['xargs', `echo ${S} | xargs rm -f`],
    [
      'an archive',
      `mkdir -p src/components/t/src && echo EVIL > src/components/t/${S} && tar -C src/components/t -cf - . | tar -xf -`,
    ],
    [
      'git apply',
      `printf -- "--- a/${S}\\n+++ b/${S}\\n@@ -1 +1 @@\\n-export const secret = 'untouched';\\n+EVIL\\n" | git apply`,
    ],
    ['git checkout of an older state', `git checkout HEAD~0 -- ${S} && git -C . rm -q -f ${S}`],
    ['git mv', `git mv ${S} src/other.ts`],
    ['git clean', 'touch src/new.ts; git clean -fdq'],
    ['a new mode', `chmod +x ${S}`],
    ['a mode by a program', python(`os.chmod('${S}',0o755)`)],
    ['node', `node -e "require('fs').writeFileSync('src/'+'secret.ts','EVIL')"`],
    ['python', python(`open('${S}','w').write('EVIL')`)],
    ['a folder in its place', python(`os.unlink('${S}');os.mkdir('${S}');open('${S}/x','w').write('EVIL')`)],
    ['a pipe in its place', python(`os.unlink('${S}');os.mkfifo('${S}')`)],
    ['its folder replaced by a link', python(`os.rename('src','src/../kept');os.symlink('kept','src')`)],
    [
      'the same length and time',
      python(
        `s=os.stat('${S}');t=open('${S}').read();f=open('${S}','r+');f.write('X'*len(t));f.close();os.utime('${S}',ns=(s.st_atime_ns,s.st_mtime_ns))`,
      ),
    ],
  ])('%s', (_name, command) => {
    siege.withstands(command);
  });
});

describe('a new file outside the scope is gone after', () => {
  it.each([
    ['its name is one that git avoids', python(`open('src/git~1','w').write('EVIL')`)],
    ['its name holds a backslash', python(`open('src/a\\\\b.ts','w').write('EVIL')`)],
    ['its name is no UTF-8', python(`open(b'src/e\\xff.ts','w').write('EVIL')`)],
    ['its name holds a newline', python(`open('src/e\\nx.ts','w').write('EVIL')`)],
    ['its name looks like an option', python(`open('--exclude=*','w').write('EVIL')`)],
    [
      'it came with a repository',
      python(
        `os.mkdir('evil');subprocess.run('git init -q evil',shell=True);open('evil/x','w').write('EVIL')`,
      ),
    ],
    [
      'its repository has a commit',
      python(
        `os.mkdir('evil');open('evil/x','w').write('EVIL');subprocess.run('git init -q evil;git -C evil add x;git -C evil -c user.name=t -c user.email=t@t commit -qm x',shell=True)`,
      ),
    ],
    [
      "the user's git ignores it",
      python(
        `d=os.path.expanduser('~/.config/git');os.makedirs(d);open(d+'/ignore','w').write('evil.ts');open('evil.ts','w').write('EVIL')`,
      ),
    ],
    [
      'attributes hide it',
      python(
        `open('.gitattributes','w').write('* filter=x -diff');subprocess.run(['git','config','filter.x.clean','true']);open('evil.ts','w').write('EVIL')`,
      ),
    ],
    [
      'the repository has another work tree',
      python(`subprocess.run(['git','config','core.worktree','/tmp']);open('evil.ts','w').write('EVIL')`),
    ],
  ])('%s', (_name, command) => {
    siege.withstands(command);
  });
});

describe('a command that goes on after its call is refused', () => {
  it.each([
    'sleep 1 &',
    '(sleep 1; echo EVIL > src/secret.ts) &',
    'nohup sleep 1',
    'setsid -f sleep 1',
    'coproc sleep 1',
  ])('%s', (command) => {
    expect(siege.withstands(command).before.text).toMatch(/Violation/);
  });
});

describe('a command that names a forbidden place to read is refused', () => {
  it.each([
    'cat ~/.ssh/id_rsa',
    'cat < "$HOME/.ssh/id_rsa"',
    'cat ~/.s?h/*',
    'cd ~/.ssh && cat id_rsa',
    'curl -s --unix-socket ~/.pactclaw/run/engine.sock http://x/v1/status',
    'read -r port token proof < ~/.pactclaw/run/engine',
    'cat /proc/self/root/etc/hostname',
  ])('%s', (command) => {
    expect(siege.ready().host.bash(command).before.text).toMatch(
      /^Policy Violation: .* lies under the forbidden path/,
    );
  });

  it('through a link that is in the way', () => {
    siege.ready();
    fs.symlinkSync(`${siege.project.home}/.ssh`, siege.project.path('src/components/key'));
    expect(siege.host.bash('cat src/components/key/id_rsa').before.text).toContain('forbidden path ~/.ssh');
    siege.spend();
  });
});
