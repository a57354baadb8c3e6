import { createRequire } from 'node:module';
import type { Logger } from 'pino';
import { maskSecrets } from '../core/mask-secrets.ts';
import { writeAll } from '../platform/stdio.ts';

/** Events of the operator log that commands write. */
export type OperatorEvent =
  | 'startup'
  | 'workspace_path'
  | 'command_failed'
  | 'estop_triggered'
  | 'estop_cleared'
  | 'intent_added'
  | 'intent_completed'
  | 'mcp_accepted'
  | 'receipt_written'
  | 'no_tools'
  | 'wiring_not_kept'
  | 'recovered';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

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

let logger: Logger | null | undefined;

/**
 * The operator log on standard error. `PACTCLAW_LOG` switches it on: `json` for one JSON object a line, or a
 * level (`debug`, `info`, …) for text. Without it nothing is loaded.
 */
function open(): Logger | null {
  const wanted = process.env.PACTCLAW_LOG ?? '';
  if (wanted === '' || wanted === 'off' || wanted === '0') return null;
  const { pino } = createRequire(import.meta.url)('pino') as typeof import('pino');
  const level = LEVELS.find((one) => wanted.includes(one)) ?? 'info';
  const isJson = wanted.includes('json');
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => writeAll(2, isJson ? line : toHuman(line)) },
  );
}

/** Writes an event when the log is on. Secrets in its values are masked; a log that fails stops nothing. */
export function logEvent(
  level: Level,
  event: OperatorEvent,
  facts: Readonly<Record<string, unknown>> = {},
): void {
  try {
    if (logger === undefined) logger = open();
    logger?.[level]({ event, ...(JSON.parse(maskSecrets(JSON.stringify(facts))) as object) });
  } catch {
    logger = null;
  }
}
