import { sha256 } from '../../src/core/digest.ts';
import { fingerprintLine, packFingerprints } from '../../src/core/fingerprint.ts';
import type { ReceiptDraft } from '../../src/core/receipt.ts';
import type { TraceDraft, TraceRange } from '../../src/core/trace-record.ts';

/** Numbers that look random and are the same in every run. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const WORDS =
  'order total tax cart user price item stock rate zone parse token queue flush merge index page block draft state event clock limit scope'.split(
    ' ',
  );
const COMMON = ['\n', '  }\n', '  });\n', '    return null;\n', '  } else {\n'];

/** A line of code: now and then one that stands in every file, mostly one that stands in few. */
export function codeLine(next: () => number): string {
  if (next() < 0.2) return COMMON[Math.floor(next() * COMMON.length)] as string;
  const word = () => WORDS[Math.floor(next() * WORDS.length)] as string;
  return `  const ${word()}_${word()} = ${word()}(${word()}.${word()}, ${Math.floor(next() * 1e6)});\n`;
}

/** The attempt or, for odd numbers, its outcome. Sessions hold a hundred receipts. */
export function draftReceipt(at: number, traceHash?: string): ReceiptDraft {
  const call = at >> 1;
  const isPre = at % 2 === 0;
  return {
    phase: isPre ? 'pre' : 'post',
    conversation_id: `5b1c9e0e-7a52-4f8e-9d53-${String(Math.floor(at / 100)).padStart(12, '0')}`,
    tool: 'file_write',
    args_hash: sha256(`arguments ${call}`),
    result_hash: sha256(`result ${at}`),
    status: 'allowed',
    risk: 'medium',
    host: 'claude-code',
    call_id: `toolu_${String(call).padStart(20, '0')}`,
    intent_id: 'INT-002',
    state: 'CONTEXTUALIZED_ACTION',
    ...(isPre ? { host_tool: 'Write', target: `src/lib/file${call % 5_000}.ts` } : {}),
    ...(isPre || traceHash === undefined ? {} : { trace: [traceHash] }),
  };
}

/** A workspace in memory whose files are written and then edited, one ledger draft at a time. */
export class ModelRepo {
  readonly files: string[][] = [];
  readonly #hashes: string[] = [];
  readonly #next = dice(7);

  constructor(private readonly fileCount: number) {}

  pathOf(file: number): string {
    return `src/lib/mod${String(file % 100).padStart(2, '0')}/file${file}.ts`;
  }

  /** The next mutation: files are created first, later ones change a few lines of one. */
  mutate(at: number): TraceDraft {
    const created = this.files.length < this.fileCount;
    const file = created ? this.files.length : Math.floor(this.#next() * this.fileCount);
    const lines = created ? [] : (this.files[file] as string[]);
    if (created) this.files.push(lines);
    const count = created ? 60 + Math.floor(this.#next() * 120) : 1 + Math.floor(this.#next() * 6);
    const from = Math.floor(this.#next() * (lines.length + 1));
    const fresh = Array.from({ length: count }, () => codeLine(this.#next));
    const removed = lines.length > 200 ? count : Math.floor(this.#next() * 5);
    lines.splice(from, removed, ...fresh);
    const previous = this.#hashes[file] ?? null;
    // The whole file is hashed only where it is looked at: at its creation and at its end.
    const hash = created ? sha256(fresh.join('')) : sha256(`${previous} ${at}`);
    this.#hashes[file] = hash;
    return {
      ...facts(at, file),
      path: this.pathOf(file),
      mutation: created ? 'create' : 'modify',
      content_hash: hash,
      previous_content_hash: previous,
      ranges: [rangeOf(from, fresh)],
    };
  }
}

function rangeOf(from: number, lines: readonly string[]): TraceRange {
  return {
    start_line: from + 1,
    end_line: from + lines.length,
    content_hash: sha256(lines.join('')),
    lines: packFingerprints(lines.map(fingerprintLine)),
  };
}

function facts(at: number, file: number) {
  const intent = `INT-${String((file % 20) + 1).padStart(3, '0')}`;
  return {
    intent_id: intent,
    intent_name: `Work of ${intent}`,
    contributor: { type: 'ai', model_id: 'anthropic/claude-opus' },
    rationale: `Step ${at}: the totals have to follow the tax zone of the customer, not that of the shop.`,
    tool_name: 'file_write',
    host: { name: 'claude-code' },
    session_id: `5b1c9e0e-7a52-4f8e-9d53-${String(Math.floor(at / 50)).padStart(12, '0')}`,
    receipt_id: `receipt-0123456789ab-${at * 2 + 1}`,
    vcs: { type: 'git', revision: '3f140d6c1e0b4c0c8a6f6f2f5d9be2f4a3c1d0e9' },
  } as const;
}
