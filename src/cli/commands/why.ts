import type { Command } from 'commander';
import { type CommonOptions, example, reporting, toPlace } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { explainFile, sayLines } from '../explain-file.ts';
import { sayJson } from '../output.ts';

/** Explains the lines of `FILE:LINE[-LINE]`; `pactclaw provenance line` is the same. */
export function why(place: string, options: CommonOptions): void {
  const { file, start, end } = toPlace(place);
  const { path, lines } = explainFile(openWorkspace(options.workspace), file, { start, end });
  if (options.json) sayJson({ path, lines });
  else sayLines(path, lines);
}

/** `pactclaw why FILE:LINE` (H-81). */
export function register(program: Command): void {
  const command = reporting(program.command('why'))
    .description('say which intent a line comes from, when it was written, by which model and why')
    .argument('<file:line>', 'a line, or lines as FILE:FROM-TO; the file as it is now')
    .action(why);
  example(command, 'pactclaw why src/auth/login.ts:12-18');
}
