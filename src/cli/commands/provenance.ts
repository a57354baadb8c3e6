import type { Command } from 'commander';
import { PactError } from '../../core/errors.ts';
import { rebuildMap } from '../../hooks/outcome/map.ts';
import { byHash } from '../../ledger/provenance/lookup.ts';
import { readRecordAt } from '../../ledger/why.ts';
import { type CommonOptions, example, reporting, toCount } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { explainFile, sayLines, withIndex } from '../explain-file.ts';
import { clean, plural, say, sayJson } from '../output.ts';
import { file } from '../provenance-file.ts';
import { withState } from '../state.ts';
import { why } from './why.ts';

function hash(asked: string, options: CommonOptions): void {
  const matches = withIndex(openWorkspace(options.workspace), (store) =>
    byHash(store.index, asked, (offset) => readRecordAt(store.layout.trace, offset)),
  );
  if (matches.length === 0)
    throw new PactError(
      'NOT_FOUND',
      `no record has the hash ${clean(asked)}`,
      'Give the 64 hex digits of a SHA-256 of a file or of a recorded block.',
    );
  if (options.json) {
    sayJson(
      matches.map(({ record, whole, ranges }) => ({
        whole_file: whole,
        matching_ranges: ranges.map((at) => record.ranges[at]),
        record,
      })),
    );
    return;
  }
  for (const { record, whole, ranges } of matches) {
    const blocks = ranges.map((at) => `${record.ranges[at]?.start_line}-${record.ranges[at]?.end_line}`);
    const what = [
      ...(whole ? ['whole file'] : []),
      ...(blocks.length > 0 ? [`lines ${blocks.join(', ')}`] : []),
    ];
    say(
      `${record.intent_id} ${clean(record.intent_name)}  ${record.timestamp}  ${record.mutation} ${clean(record.path ?? '(no file)')}  (${what.join('; ')})`,
    );
    say(`    why     ${clean(record.rationale)}`);
    say(`    record  ${record.id}  by ${clean(record.contributor.model_id ?? record.contributor.type)}`);
  }
}

function check(asked: string, options: CommonOptions & { readonly line?: number }): void {
  const range = options.line === undefined ? undefined : { start: options.line, end: options.line };
  const { path, lines } = explainFile(openWorkspace(options.workspace), asked, range);
  if (options.json) sayJson({ path, lines });
  else sayLines(path, lines);
}

function rebuild(options: CommonOptions): Promise<void> {
  const workspace = openWorkspace(options.workspace);
  return withState(workspace, ({ store, intents }) => {
    store.index.reset();
    withIndex(workspace, () => undefined);
    const files = store.transact((tx) => {
      rebuildMap(workspace, tx, intents);
      return tx.owners().length;
    });
    const { lines } = store.logSize('trace');
    if (options.json) {
      sayJson({ records: lines, files });
      return;
    }
    say(
      `made anew from ${plural(lines, 'ledger record')}: the index and intent_map.md (${plural(files, 'file')})`,
    );
  });
}

/** `pactclaw provenance hash|line|file|check|rebuild` (H-67, H-80…H-84). */
export function register(program: Command): void {
  const group = program
    .command('provenance')
    .description('where code comes from: by line, file or content hash');
  const hashed = reporting(group.command('hash'))
    .description('records whose file or block has this SHA-256')
    .argument('<sha256>', '64 hex digits; a leading sha256: is allowed')
    .action(hash);
  example(hashed, "pactclaw provenance hash $(sed -n '3,9p' src/a.ts | sha256sum | cut -c1-64)");
  const lined = reporting(group.command('line'))
    .description('the same as `pactclaw why`')
    .argument('<file:line>', 'a line, or FILE:FROM-TO')
    .action(why);
  example(lined, 'pactclaw provenance line src/a.ts:3');
  const filed = reporting(group.command('file'))
    .description('the intent that holds a file, those before it, and what was done')
    .argument('<path>', 'a file of the workspace; it may be gone')
    .action(file);
  example(filed, 'pactclaw provenance file src/a.ts');
  const checked = reporting(group.command('check'))
    .description('explain every line of a file, moved code included')
    .argument('<path>', 'a file of the workspace')
    .option('--line <n>', 'this line only', toCount)
    .action(check);
  example(checked, 'pactclaw provenance check src/a.ts');
  const rebuilt = reporting(group.command('rebuild'))
    .description('make the index and intent_map.md anew from the ledger')
    .action(rebuild);
  example(rebuilt, 'pactclaw provenance rebuild');
}
