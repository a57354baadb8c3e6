import { isExecutable } from '../../platform/run.ts';
import { guardedLine, withoutGuard } from './install/guarded-line.ts';
import type { Wiring } from './install/installer.ts';
import { shellLine, shellWords } from './install/shell-line.ts';

/** The words that a host starts our launcher with for an event. */
export function launcherWords(host: string, event: string, { install, node, workspace }: Wiring): string[] {
  const place = workspace === null ? [] : ['--workspace', workspace];
  return [`${install}/bin/pactclaw-hook`, node, host, ...place, '--event', event];
}

/** The command line of an event's hook. `guarded`: its failure must refuse, even when the launcher is gone. */
export function commandFor(host: string, event: string, wiring: Wiring, guarded: boolean): string {
  const words = launcherWords(host, event, wiring);
  return guarded ? guardedLine(words) : shellLine(words);
}

/** What is wrong with the words that start our launcher for an event, or null. */
export function faultOfWords(host: string, event: string, words: readonly unknown[]): string | null {
  const [launcher, node, named] = words;
  if (!isExecutable(String(launcher ?? ''))) return `${String(launcher)} cannot be executed`;
  if (!isExecutable(String(node ?? ''))) return `Node is not at ${String(node)}`;
  if (named !== host) return `it is registered for host ${String(named)}`;
  const at = words.indexOf('--event');
  return at >= 0 && words[at + 1] === event ? null : 'it does not name its event';
}

/** What is wrong with the command line of an event's hook, or null. */
export function faultOfCommand(
  host: string,
  event: string,
  command: unknown,
  mustGuard: boolean,
): string | null {
  const { line, guarded } = withoutGuard(String(command));
  if (mustGuard && !guarded) return 'a launcher that is killed would let the call run; install again';
  const words = shellWords(line);
  return words === null ? 'its command does more than start the launcher' : faultOfWords(host, event, words);
}
