import type { JsonObject } from '../../../core/json.ts';
import { guardedLine, withoutGuard } from '../install/guarded-line.ts';
import { shellLine, shellWords } from '../install/shell-line.ts';
import type { RegisteredHook, Start } from './verifier.ts';

/** The workspace that the words of a hook or a server name, or null. */
export function workspaceIn(words: readonly string[]): string | null {
  const at = words.indexOf('--workspace');
  return at < 0 ? null : (words[at + 1] ?? null);
}

/** The words with another workspace in place of the one they name. */
export function redirected(words: readonly string[], root: string): string[] {
  const at = words.indexOf('--workspace');
  return at < 0 ? [...words] : words.with(at + 1, root);
}

/** Programs that take the place of the registered ones, to break the hook. */
interface Instead {
  readonly node: string | undefined;
  readonly launcher: string | undefined;
}

/** The words of our launcher, `pactclaw-hook NODE HOST …`, with the sandbox and perhaps another Node in them. */
function launcherIn(words: readonly string[], root: string, { node, launcher }: Instead): string[] {
  const moved = redirected(words, root);
  const at = moved.findIndex((word) => /(?:^|[/\\])pactclaw-hook$/.test(word));
  const own = launcher === undefined ? moved : moved.with(at, launcher);
  return node === undefined ? own : own.with(at + 1, node);
}

/** A hook whose program the host starts itself. */
export function startsProgram(file: string, args: readonly unknown[]) {
  return (root: string, node?: string, other?: string): Start => {
    const words = launcherIn([file, ...args.map(String)], root, { node, launcher: other });
    return { file, args: words.slice(1) };
  };
}

/** A hook whose command line the host hands to a shell. One that does more than start a program is not started. */
function startsLine(line: string) {
  return (root: string, node?: string, other?: string): Start | null => {
    const words = shellWords(line);
    if (words === null || words.length < 2) return null;
    return { file: '/bin/sh', args: ['-c', shellLine(launcherIn(words, root, { node, launcher: other }))] };
  };
}

/** Like {@link startsLine}, and keeps the guard of {@link guardedLine} if the line has it. */
export function startsGuarded(line: string) {
  const bare = withoutGuard(line);
  const start = startsLine(bare.line);
  return (root: string, node?: string, launcher?: string): Start | null => {
    const plain = start(root, node, launcher);
    const words = plain === null ? null : shellWords(plain.args[1] ?? '');
    if (plain === null || words === null || !bare.guarded) return plain;
    return { file: plain.file, args: ['-c', guardedLine(words)] };
  };
}

/** A hook of ours that is a command line for a shell. `handler` is the entry as it stands in the file. */
export function lineHook(
  file: string,
  event: string,
  handler: JsonObject,
  command: unknown,
  startOf: (line: string) => RegisteredHook['start'] = startsGuarded,
): RegisteredHook {
  const line = String(command);
  const workspace = workspaceIn(shellWords(withoutGuard(line).line) ?? []);
  return { file, event, handler, workspace, start: startOf(line) };
}
