import fs from 'node:fs';
import path from 'node:path';
import { CHAIN_START, type HashField, sealLine } from '../../src/core/chain.ts';
import { type Workspace, workspaceAt } from '../../src/hooks/workspace.ts';
import { Store } from '../../src/ledger/store.ts';
import type { BenchContext } from './context.ts';
import { draftReceipt, ModelRepo } from './ledger-text.ts';
import { makeWorkspace } from './workspace.ts';

const WRITER = '0123456789abcdef0123456789abcdef';
const BEGIN_MS = 1_790_000_000_000;
const FLUSH_CHARS = 1 << 22;

/** Seals records into one chain and writes them in large pieces: the same lines as the store's, much faster. */
class BulkLog {
  #head = CHAIN_START;
  #text: string[] = [];
  #chars = 0;
  readonly #fd: number;

  constructor(
    file: string,
    private readonly field: HashField,
  ) {
    this.#fd = fs.openSync(file, 'w');
  }

  add(record: object): string {
    const link = { writer: WRITER, seq: this.#head.seq + 1, previous_hash: this.#head.hash };
    const { line, hash } = sealLine({ ...record, ...link }, this.field);
    this.#head = { seq: link.seq, hash };
    this.#text.push(line);
    this.#chars += line.length;
    if (this.#chars > FLUSH_CHARS) this.#flush();
    return hash;
  }

  #flush(): void {
    if (this.#text.length > 0) fs.writeSync(this.#fd, `${this.#text.join('\n')}\n`);
    this.#text = [];
    this.#chars = 0;
  }

  close(): void {
    this.#flush();
    fs.closeSync(this.#fd);
  }
}

/** A record as the store writes it, with the members of the public Agent Trace schema. */
function stampTrace(draft: ReturnType<ModelRepo['mutate']>, at: number): object {
  const ranges = draft.ranges.map(({ start_line, end_line, content_hash }) => ({
    start_line,
    end_line,
    content_hash: `sha256:${content_hash}`,
  }));
  const related = [{ type: 'specification', url: `intent:${draft.intent_id}`, value: draft.intent_id }];
  const conversations = [{ contributor: draft.contributor, ranges, related }];
  return {
    version: '0.1.0',
    tool: draft.host,
    files: [{ path: draft.path, conversations }],
    ...draft,
    id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    timestamp: new Date(BEGIN_MS + at * 1_000).toISOString(),
  };
}

function stampReceipt(at: number, traceHash: string): object {
  const timestamp = `${new Date(BEGIN_MS + at * 500).toISOString().slice(0, 19)}Z`;
  return { ...draftReceipt(at, traceHash), id: `receipt-${WRITER.slice(0, 12)}-${at + 1}`, timestamp };
}

/** Both logs with `records` lines each, and the files that the last records left behind. */
function fill(workspace: Workspace, records: number): void {
  const { layout } = workspace;
  fs.writeFileSync(layout.writer, `${WRITER}\n`);
  const trace = new BulkLog(layout.trace, 'entry_hash');
  const receipts = new BulkLog(layout.receipts, 'receipt_hash');
  const repo = new ModelRepo(Math.min(5_000, Math.max(5, Math.ceil(records / 200))));
  for (let at = 0; at < records; at += 1) {
    const hash = trace.add(stampTrace(repo.mutate(at), at));
    receipts.add(stampReceipt(at, hash));
  }
  trace.close();
  receipts.close();
  repo.files.forEach((lines, file) => {
    const place = path.join(layout.root, repo.pathOf(file));
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, lines.join(''));
  });
}

export interface BuiltLedger {
  readonly workspace: Workspace;
  readonly records: number;
  /** Time that the store took to verify and index both logs. */
  readonly indexedMs: number;
}

/** The workspace of this run with so many records in each log; made when the first benchmark asks for it. */
export function ledgerOf(context: BenchContext, records: number): BuiltLedger {
  const folder = path.join(context.scratch, `ledger-${records}`);
  const ready = path.join(folder, '.ready');
  const root = path.join(folder, 'space');
  if (fs.existsSync(ready))
    return {
      workspace: workspaceAt(root, context.install),
      records,
      indexedMs: Number(fs.readFileSync(ready, 'utf8')),
    };
  context.say(`making a ledger of ${records.toLocaleString('en-US')} records`);
  const workspace = makeWorkspace(root, context.install);
  fill(workspace, records);
  const begun = performance.now();
  using store = Store.open(workspace.layout, workspace);
  store.transact(() => undefined);
  const indexedMs = performance.now() - begun;
  fs.writeFileSync(ready, String(indexedMs));
  return { workspace, records, indexedMs };
}

/** The longest ledger of a run. */
export function longest(context: BenchContext): number {
  return context.quick ? 10_000 : 1_000_000;
}
