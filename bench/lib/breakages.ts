import fs from 'node:fs';
import type { Workspace } from '../../src/hooks/workspace.ts';

/** A way to break a workspace's state; returns how to put it back. */
export interface Breakage {
  readonly name: string;
  readonly breakIt: (workspace: Workspace) => () => void;
}

function away(file: string): () => void {
  fs.renameSync(file, `${file}.away`);
  return () => fs.renameSync(`${file}.away`, file);
}

function overwrite(file: string, content: string): () => void {
  const before = fs.readFileSync(file);
  fs.writeFileSync(file, content);
  return () => fs.writeFileSync(file, before);
}

/** Changes one digit of the last record: everything before it has to be read to find it. */
export function flipLastRecord(file: string): () => void {
  const fd = fs.openSync(file, 'r+');
  const at = fs.fstatSync(fd).size - 3;
  const before = Buffer.alloc(1);
  fs.readSync(fd, before, 0, 1, at);
  fs.writeSync(fd, Buffer.from(before[0] === 0x30 ? '1' : '0'), 0, 1, at);
  return () => {
    fs.writeSync(fd, before, 0, 1, at);
    fs.closeSync(fd);
  };
}

/** Drops the last record of a log. */
function cut(file: string): () => void {
  const text = fs.readFileSync(file);
  const end = text.lastIndexOf(10, text.length - 2) + 1;
  fs.truncateSync(file, end);
  return () => fs.appendFileSync(file, text.subarray(end));
}

/** What may befall the state of a workspace with a short ledger. */
export const BREAKAGES: readonly Breakage[] = [
  { name: 'active_intents.yaml missing', breakIt: ({ layout }) => away(layout.intents) },
  {
    name: 'active_intents.yaml is no YAML',
    breakIt: ({ layout }) => overwrite(layout.intents, 'active_intents:\n  - id: [unclosed\n'),
  },
  { name: '.orchestration missing', breakIt: ({ layout }) => away(layout.sidecar) },
  { name: 'receipt log missing', breakIt: ({ layout }) => away(layout.receipts) },
  { name: 'ledger cut by a record', breakIt: ({ layout }) => cut(layout.trace) },
  { name: 'ledger changed by a byte', breakIt: ({ layout }) => flipLastRecord(layout.trace) },
];
