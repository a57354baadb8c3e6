/** Where a value stands in the bytes of a JSON text: from its first byte to just after its last. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** An object's members as they stand in its bytes. */
export interface Members {
  /** Keys in the order of the text, as they are written between their quotes. */
  readonly keys: readonly string[];
  /** Elements of the one array that was asked for; null when there is no such array. */
  readonly elements: readonly Place[] | null;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Keys and short texts end within so many bytes, where a search would cost more than looking at each. */
const SHORT = 24;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Walks over bytes that are known to be JSON; over others it ends somewhere, and says nothing of them. */
class Walk {
  constructor(
    readonly bytes: Buffer,
    public at: number,
  ) {}

  get byte(): number | undefined {
    return this.bytes[this.at];
  }

  space(): void {
    while (isSpace(this.bytes[this.at])) this.at += 1;
  }

  /** From the quote that opens a text to just after the one that closes it. */
  text(): void {
    const { bytes } = this;
    let at = this.at + 1;
    for (const soon = at + SHORT; at < soon; at += 1) {
      const byte = bytes[at];
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE || byte === undefined) {
        this.at = at + 1;
        return;
      }
    }
    for (;;) {
      const quote = bytes.indexOf(QUOTE, at);
      let slashes = quote;
      while (slashes > at && bytes[slashes - 1] === BACKSLASH) slashes -= 1;
      if (quote < 0 || (quote - slashes) % 2 === 0) {
        this.at = quote < 0 ? bytes.length : quote + 1;
        return;
      }
      at = quote + 1;
    }
  }

  /** Over one value, whatever is in it. */
  value(): void {
    let depth = 0;
    while (this.at < this.bytes.length) {
      const byte = this.bytes[this.at];
      if (byte === QUOTE) {
        this.text();
        if (depth === 0) return;
        continue;
      }
      const closes = byte === CLOSE || byte === CLOSE_LIST;
      // A number or a word ends before what is not its own.
      if (depth === 0 && (closes || byte === COMMA || isSpace(byte))) return;
      this.at += 1;
      if (byte === OPEN || byte === OPEN_LIST) depth += 1;
      else if (closes) {
        depth -= 1;
        if (depth === 0) return;
      }
    }
  }

  /** Elements of a list up to its end; the walk stands after its opening bracket, or after an element. */
  elements(): Place[] {
    const places: Place[] = [];
    for (;;) {
      this.space();
      if (this.byte === COMMA) {
        this.at += 1;
        this.space();
      }
      if (this.byte === CLOSE_LIST || this.byte === undefined) {
        this.at += 1;
        return places;
      }
      const from = this.at;
      this.value();
      places.push({ from, to: this.at });
    }
  }

  /** Members up to the object's end; the walk stands after its opening brace, or after a member. */
  members(listKey: string): { keys: string[]; elements: Place[] | null } {
    const keys: string[] = [];
    let elements: Place[] | null = null;
    for (;;) {
      this.space();
      if (this.byte === COMMA) this.at += 1;
      this.space();
      if (this.byte !== QUOTE) return { keys, elements };
      const from = this.at + 1;
      this.text();
      const key = this.bytes.toString('utf8', from, this.at - 1);
      keys.push(key);
      this.space();
      this.at += 1;
      this.space();
      if (key === listKey && this.byte === OPEN_LIST) {
        this.at += 1;
        elements = this.elements();
      } else this.value();
    }
  }
}

/** Members of the object that a JSON text is, with the places of the elements of its list `listKey`. */
export function membersOf(bytes: Buffer, listKey: string): Members {
  const walk = new Walk(bytes, Math.max(0, bytes.indexOf(OPEN)) + 1);
  return walk.members(listKey);
}

/** The same from just after an element of that list on: elements that follow it, and keys after the list. */
export function membersAfter(
  bytes: Buffer,
  at: number,
): { keys: readonly string[]; elements: readonly Place[] } {
  const walk = new Walk(bytes, at);
  const elements = walk.elements();
  return { elements, keys: walk.members('').keys };
}
