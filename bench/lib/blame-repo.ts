import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { codeLine, dice } from './ledger-text.ts';

const FILE = 'file.ts';
const LINES = 200;

/** A git repository with one file of two hundred lines that so many commits have changed a few lines of. */
export function blameRepo(root: string, commits: number): { root: string; file: string; lines: number } {
  fs.mkdirSync(root, { recursive: true });
  spawnSync('git', ['init', '--quiet', root]);
  const next = dice(3);
  const lines = Array.from({ length: LINES }, () => codeLine(next));
  const stream: string[] = [];
  for (let at = 0; at < commits; at += 1) {
    const fresh = Array.from({ length: 1 + Math.floor(next() * 6) }, () => codeLine(next));
    lines.splice(Math.floor(next() * (LINES - 8)), fresh.length, ...fresh);
    const content = lines.join('');
    stream.push(
      `commit refs/heads/main\ncommitter Bench <bench@localhost> ${1_790_000_000 + at} +0000\ndata 4\nedit\n`,
      `M 100644 inline ${FILE}\ndata ${Buffer.byteLength(content)}\n${content}\n`,
    );
  }
  const imported = spawnSync('git', ['fast-import', '--quiet'], { cwd: root, input: stream.join('') });
  if (imported.status !== 0) throw new Error(`git fast-import failed: ${imported.stderr}`);
  spawnSync('git', ['symbolic-ref', 'HEAD', 'refs/heads/main'], { cwd: root });
  spawnSync('git', ['reset', '--quiet', '--hard'], { cwd: root });
  return { root, file: FILE, lines: LINES };
}
