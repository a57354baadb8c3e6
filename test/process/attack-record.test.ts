import fs from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { python, Siege } from './support/attack.ts';

/** Attacks on the record of what was done, and on what undoing rests on: database, snapshots, originals. */
const siege = new Siege();
afterAll(() => siege.remove());

describe('a record that was touched stops everything', () => {
  const log = `f=o+'/tool_receipts.log';l=open(f).read().splitlines(True)`;
  it.each([
    ['cut', `${log};open(f,'w').write(''.join(l[:-2]))`],
    ['reordered', `${log};l[0],l[1]=l[1],l[0];open(f,'w').write(''.join(l))`],
    ['edited', `${log};open(f,'w').write(''.join(l).replace('INT-001','INT-002'))`],
    [
      'a link',
      `f=o+'/tool_receipts.log';shutil.move(f,'src/components/r');os.symlink('../src/components/r',f);open(f,'a').write('x')`,
    ],
    ['removed with the whole state', `shutil.rmtree(o)`],
    ['swapped for a link', `os.rename(o,'src/components/o');os.symlink('src/components/o',o)`],
  ])('the log is %s', (_name, body) => {
    siege.ready().spend();
    expect(siege.host.bash(python(body)).before.denied).toBe(false);
    const { before } = siege.host.write('src/components/next.ts', 'x');
    expect(before).toMatchObject({ denied: true, code: 2 });
    expect(before.text).toMatch(/^Fail-Safe Default|^State Violation|^Session Halted/);
    expect(siege.host.select().before.denied).toBe(true);
  });
});

describe('what undoing rests on cannot be turned against it', () => {
  const evil = `open('src/secret.ts','w').write('EVIL')`;
  it.each([
    [
      'no room for new objects',
      `import hashlib\nd=lambda t:o+'/shadow/objects/'+hashlib.sha1(b'blob %d\\0'%len(t)+t).hexdigest()[:2]\nt=next(t for t in (b'EVIL%d'%n for n in range(999)) if not os.path.exists(d(t)))\nopen(d(t),'w');open('src/secret.ts','wb').write(t)`,
    ],
    [
      'the index skips the file',
      `subprocess.run(['git','--git-dir='+o+'/shadow','--work-tree=.','update-index','--skip-worktree','src/secret.ts']);${evil}`,
    ],
    ['the index is empty', `os.unlink(o+'/shadow/index');${evil}`],
    [
      'its excludes name the file',
      `open(o+'/shadow/info/exclude','w').write('*');open('evil.ts','w').write('EVIL')`,
    ],
    ['its head', `open(o+'/shadow/HEAD','w').write('x');${evil}`],
    ['its configuration', `open(o+'/shadow/config','a').write('[core]\\nworktree=/tmp\\n');${evil}`],
    ['the quarantine is no folder', `shutil.rmtree(o+'/quarantine',True);open(o+'/quarantine','w');${evil}`],
  ])('%s', (_name, body) => {
    siege.withstands(python(body));
  });

  it.each([
    ['the database is gone', `[os.unlink(o+'/'+f) for f in os.listdir(o) if f.startswith('state')]`],
    ['the snapshots are gone', `shutil.rmtree(o+'/shadow')`],
    ['the snapshots are a file', `shutil.rmtree(o+'/shadow');open(o+'/shadow','w')`],
  ])('%s: nobody could look, so the intent is blocked', (_name, body) => {
    siege.ready();
    siege.expectBlocked(siege.host.bash(python(`${evil}\n${body}`)).after);
  });

  it('original bytes that were forged are not given out as undone', () => {
    siege.ready();
    const forge = `import zlib,hashlib\nt=open('src/secret.ts','rb').read();h=hashlib.sha1(b'blob %d\\0'%len(t)+t).hexdigest()
for d in ('.git',o+'/shadow'):\n  f=d+'/objects/'+h[:2]+'/'+h[2:]\n  if os.path.exists(f):\n    os.chmod(f,0o644);open(f,'wb').write(zlib.compress(b'blob 4\\0EVIL'))\n`;
    const { after } = siege.host.bash(python(forge + evil));
    expect(after?.text).toContain('could not be checked or undone');
    siege.expectBlocked(after);
  });

  it('an ignored file whose name is a pattern hides no other', () => {
    siege.ready().project.put('.gitignore', '*.log\n.env\n');
    siege.withstands(python(`open(':(x)y.log','w');open('.env','w').write('EVIL')`));
    siege.spend();
  });

  it('what the host obeys is watched where git ignores it', () => {
    siege.ready().project.put('.gitignore', '.claude/\n');
    siege.withstands(python(`d='.cla'+'ude/skills/x';os.makedirs(d);open(d+'/SKILL.md','w').write('EVIL')`));
    siege.spend();
  });

  it('a folder that became a link does not lead the undoing astray', () => {
    const { project } = siege.ready();
    project.put('lib/a.ts', 'ours\n');
    fs.mkdirSync(`${project.home}/lib`);
    fs.writeFileSync(`${project.home}/lib/a.ts`, "the user's\n");
    siege.withstands(python(`shutil.rmtree('lib');os.symlink(os.path.expanduser('~/lib'),'lib')`));
    siege.spend();
  });

  it('more files than can be recorded in time do not pass unrecorded', () => {
    const body = `os.mkdir('src/components/d');[open('src/components/d/%d'%n,'w') for n in range(10001)]\n${evil}`;
    expect(siege.withstands(python(body)).after?.text).toContain('more than can be recorded');
    siege.spend();
  });
});
