import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Root of the repository. */
export const REPOSITORY = path.resolve(import.meta.dirname, '../..');

/** A file of the repository. */
export interface Source {
  /** Path from the root, with `/`. */
  readonly file: string;
  readonly text: string;
}

/** The TypeScript files under a folder of the repository, sorted. */
export function sourcesUnder(folder: string): Source[] {
  return readdirSync(path.join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.split(path.sep).join('/')}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(REPOSITORY, file), 'utf8') }));
}
