import type { RecordedBlock } from '../../src/core/attribution/types.ts';
import { changedBlocks } from '../../src/core/blocks.ts';
import { splitLines, unpackFingerprints } from '../../src/core/fingerprint.ts';

/** Lines of a text, as byte strings. */
export const linesOf = (text: string): string[] => splitLines(Buffer.from(text));

/** A growing list of what two intents recorded. */
export class Recorder {
  readonly blocks: RecordedBlock[] = [];
  #seq = 0;

  record(
    intentId: string,
    path: string,
    before: string | null,
    after: string,
    at?: { time: number; writer: string },
  ): void {
    const seq = this.#seq++;
    const old = before === null ? null : Buffer.from(before);
    for (const range of changedBlocks(old, Buffer.from(after)).ranges) {
      this.blocks.push({
        key: this.blocks.length,
        path,
        startLine: range.start_line,
        endLine: range.end_line,
        contentHash: range.content_hash,
        prints: unpackFingerprints(range.lines),
        intentId,
        timestamp: new Date(1.7e12 + (at?.time ?? seq * 1000)).toISOString(),
        writer: at?.writer ?? 'w',
        seq,
      });
    }
  }
}
