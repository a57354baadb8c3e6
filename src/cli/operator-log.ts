import path from 'node:path';
import type { Logger } from 'pino';
import { userLogFile } from '../config/load-policy.ts';
import { maskFacts } from '../core/mask-secrets.ts';
import type { News } from '../ledger/news.ts';
import { markOf } from '../platform/file-mark.ts';
import { makePrivateFolder } from '../platform/list-folder.ts';
import { writeAll } from '../platform/stdio.ts';
import { eventsOf, LEVELS, type Level, type OperatorEvent } from './operator-events.ts';

/** A line for a human: time, level, event, and the rest as `key=value`. */
function toHuman(line: string): string {
  const { time, level, event, msg: _, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const facts = Object.entries(rest).map(([key, value]) =>
    key === 'stack'
      ? `\n${String(value)}`
      : `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${[time, String(level), event, ...facts].join(' ')}\n`;
}

const SYNC = { sync: true, append: true, mode: 0o600 } as const;

let logger: Logger | null = null;
let opening: Promise<void> | null = null;

/** Whether `PACTCLAW_LOG` asks for a log on standard error. */
function isOnStderr(): boolean {
  return !['', 'off', '0'].includes(process.env.PACTCLAW_LOG ?? '');
}

/**
 * Opens the operator log where one is wanted: `PACTCLAW_LOG` switches it on for standard error, `json` for one JSON
 * object a line or a level (`debug`, `info`, …) for text; `log.file` in the user's settings names a file. Without
 * either nothing is loaded. A log that cannot be opened stops nothing.
 */
export function openLog(): Promise<void> {
  opening ??= open();
  return opening;
}

async function open(): Promise<void> {
  try {
    const file = isOnStderr() ? null : await userLogFile();
    if (!isOnStderr() && file === null) return;
    const { pino } = await import('pino');
    const wanted = process.env.PACTCLAW_LOG ?? '';
    const settings = {
      level: (file === null && LEVELS.find((one) => wanted.includes(one))) || 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    const isJson = wanted.includes('json');
    const stderr = { write: (line: string) => writeAll(2, isJson ? line : toHuman(line)) };
    logger = pino(settings, file === null ? stderr : pino.destination({ dest: usable(file), ...SYNC }));
  } catch {
    logger = null;
  }
}

/** A log file's name, once it is known that opening it will not wait for anybody. Throws when it is no plain file. */
function usable(file: string): string {
  markOf(file);
  makePrivateFolder(path.dirname(file));
  return file;
}

/** Writes an event when the log is open. Secrets in its values are masked; a log that fails stops nothing. */
export function logEvent(
  level: Level,
  event: OperatorEvent,
  facts: Readonly<Record<string, unknown>> = {},
): void {
  try {
    logger?.[level]({ event, ...maskFacts(facts) });
  } catch {
    logger = null;
  }
}

/** Writes what became durable in a workspace (R-134, H-5, H-28). */
export function logNews(news: readonly News[]): void {
  if (logger === null) return;
  for (const one of news) for (const { level, event, facts } of eventsOf(one)) logEvent(level, event, facts);
}

/** The same for a process that stays: once whoever waits for the decision has it. */
export function logNewsLater(news: readonly News[]): void {
  if (logger !== null) setImmediate(() => logNews(news));
}
