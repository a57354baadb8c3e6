const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes into lines, holding at most `maxBytes` of one. A longer line is dropped up to its end and
 * told of once.
 */
export class LineSplitter {
  #parts: Buffer[] = [];
  #size = 0;
  #dropping = false;

  constructor(
    private readonly maxBytes: number,
    private readonly take: (line: string) => void,
    private readonly tooLong: () => void,
  ) {}

  /** Takes the next bytes of the stream. */
  push(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(NEWLINE, from);
      const piece = chunk.subarray(from, at < 0 ? chunk.length : at);
      this.#keep(piece);
      if (at < 0) return;
      this.#finish();
      from = at + 1;
    }
  }

  #keep(piece: Buffer): void {
    if (this.#dropping || piece.length === 0) return;
    this.#size += piece.length;
    if (this.#size <= this.maxBytes) {
      this.#parts.push(piece);
      return;
    }
    this.#parts = [];
    this.#dropping = true;
    this.tooLong();
  }

  #finish(): void {
    const parts = this.#parts;
    const dropped = this.#dropping;
    this.#parts = [];
    this.#size = 0;
    this.#dropping = false;
    if (dropped) return;
    const [only] = parts;
    const line = (parts.length === 1 && only ? only : Buffer.concat(parts)).toString('utf8');
    this.take(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}
