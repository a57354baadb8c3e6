import fs from 'node:fs';
import path from 'node:path';
import { renderCliDocs } from './docs.ts';
import { buildProgram } from './program.ts';

/** Writes `docs/cli.md` from the commands (`npm run docs:cli`). */
const file = path.resolve(import.meta.dirname, '../../docs/cli.md');
fs.mkdirSync(path.dirname(file), { recursive: true });
fs.writeFileSync(file, renderCliDocs(await buildProgram()));
