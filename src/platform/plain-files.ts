import fs from 'node:fs';
import { exists } from './files.ts';

/** Writes a file without waiting for the disk. */
export function writePlain(file: string, text: string): void {
  fs.writeFileSync(file, text, { mode: 0o600 });
}

/** Makes a file or link unless something has its name. */
export function writeOnce(file: string, content: string | { readonly link: string }): void {
  if (exists(file)) return;
  if (typeof content === 'string') fs.writeFileSync(file, content);
  else fs.symlinkSync(content.link, file);
}
