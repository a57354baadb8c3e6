import fs from 'node:fs';
import path from 'node:path';

/** One recorded hook call: the event it was registered for, and what came in on standard input. */
export interface Recorded {
  readonly label: string;
  readonly in: Record<string, unknown>;
}

const FOLDER = path.resolve(import.meta.dirname, '../../../fixtures/hosts');

/** Recorded payloads of a host, in order. */
export function recorded(host: string, file: string): Recorded[] {
  return fs
    .readFileSync(path.join(FOLDER, host, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Recorded);
}

export function fixture(host: string, file: string): string {
  return path.join(FOLDER, host, file);
}

/** What a host writes on a hook's standard input. */
export function bytesOf(value: unknown): Buffer {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}
