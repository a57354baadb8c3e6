import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { layoutOf } from '../core/layout.ts';
import { initWorkspace } from '../orchestration/init.ts';

const HANDSHAKE = 'mcp__pactclaw__select_active_intent';

/**
 * Makes the code caches of the hook and of the program that runs commands, by running real events in a scratch workspace: V8 puts into a cache what had been
 * compiled when it was made, so each part is made by a run that uses it.
 */
export function warmCaches(dist: string): void {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'pactclaw-build-'));
  try {
    const root = path.join(fs.realpathSync(scratch), 'workspace');
    fs.mkdirSync(path.join(root, 'src/app'), { recursive: true });
    fs.writeFileSync(path.join(root, 'src/app/a.ts'), 'export const a = 1;\n');
    initWorkspace(layoutOf(root), { userFolder: path.join(scratch, '.pactclaw'), files: ['src/app/a.ts'] });
    const run = (event: string, tool: string, input: object, id: string): void => {
      const payload = {
        session_id: 'warm',
        cwd: root,
        hook_event_name: event,
        tool_name: tool,
        tool_input: input,
        tool_use_id: id,
      };
      const args = [path.join(dist, 'hook.cjs'), '--make-cache', 'claude-code', '--workspace', root];
      const result = spawnSync(process.execPath, args, {
        input: JSON.stringify(payload),
        encoding: 'utf8',
        env: { ...process.env, HOME: scratch },
      });
      if (result.status !== 0)
        throw new Error(`the code cache could not be made (${event} ${tool}): ${result.stderr}`);
    };
    // The later of two runs of a part wins: parsers are warmed by the first event, the common path by the last one.
    run('PreToolUse', HANDSHAKE, { intent_id: 'INT-001' }, 'w1');
    run('PostToolUse', HANDSHAKE, { intent_id: 'INT-001' }, 'w1');
    run('PreToolUse', 'Bash', { command: 'cd src/app && echo more >> a.ts; ls *.ts' }, 'w2');
    run('PostToolUse', 'Bash', { command: 'cd src/app && echo more >> a.ts; ls *.ts' }, 'w2');
    fs.writeFileSync(layoutOf(root).config, 'execution: {mode: contained}\n');
    // Where the build itself cannot make a container, the cache holds less.
    spawnSync(process.execPath, [path.join(dist, 'exec.cjs'), '--make-cache', 'eval true'], {
      env: { ...process.env, HOME: scratch, PACTCLAW_WORKSPACE: root },
    });
    run('PreToolUse', 'Write', { file_path: path.join(root, 'src/app/a.ts'), content: '' }, 'w3');
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
