import fs from 'node:fs';
import path from 'node:path';
import { renderCliDocs } from '../cli/docs.ts';
import { buildProgram } from '../cli/program.ts';

/** Writes `docs/cli.md` from the commands. `--check` only says whether it is up to date. */
const file = path.resolve(import.meta.dirname, '../../docs/cli.md');
const text = renderCliDocs(await buildProgram());
if (process.argv.includes('--check')) {
  if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== text) {
    console.error('docs/cli.md is out of date: npm run docs:cli');
    process.exitCode = 1;
  }
} else {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
