/** What a sed script does beside printing. */
export interface SedEffects {
  /** Files of `w` commands and `s///w` flags. */
  readonly files: readonly string[];
  /** Files of `r` and `R` commands. */
  readonly reads: readonly string[];
  /** Command lines of `e` commands, and replacements that `s///e` runs, as they are spelled. */
  readonly commands: readonly string[];
  /** Runs shell commands (`e`), or is no script that we understand. */
  readonly isOpaque: boolean;
}

/** Reads a GNU sed script far enough to find the files it writes. */
export function readSedScript(script: string): SedEffects {
  const reader = new SedReader(script);
  try {
    reader.readAll();
  } catch {
    return { ...reader.named, isOpaque: true };
  }
  return { ...reader.named, isOpaque: reader.runs };
}

class SedReader {
  readonly named = { files: [] as string[], reads: [] as string[], commands: [] as string[] };
  runs = false;
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): void {
    while (true) {
      this.#skip(/[\s;}]*/y);
      if (this.#at >= this.#text.length) return;
      this.#address();
      this.#skip(/[\s!]*/y);
      this.#command();
    }
  }

  /** One or two addresses: numbers, `$`, `/re/`, `\cREc`, with `~`, `+` and flags. */
  #address(): void {
    for (let count = 0; count < 2; count++) {
      this.#skip(/[0-9$~+]*/y);
      const char = this.#text[this.#at];
      if (char === '/') {
        this.#at += 1;
        this.#until('/');
      } else if (char === '\\') {
        this.#at += 2;
        this.#until(this.#text[this.#at - 1]!);
      }
      this.#skip(/[IM \t]*/y);
      if (this.#text[this.#at] !== ',') return;
      this.#at += 1;
      this.#skip(/[ \t]*/y);
    }
  }

  #command(): void {
    const name = this.#text[this.#at];
    this.#at += 1;
    if (name === undefined || '{=dDgGhHnNpPxzFlqQL'.includes(name)) {
      this.#skip(/[ \t]*\d*/y);
    } else if ('aic'.includes(name)) this.#textArgument();
    else if ('rR'.includes(name)) {
      const from = this.#at;
      this.#skip(/[^\n]*/y);
      this.named.reads.push(this.#text.slice(from, this.#at).trim());
    } else if (':btT'.includes(name)) this.#skip(/[^\n;}]*/y);
    else if (name === '#') this.#skip(/[^\n]*/y);
    else if (name === 's') this.#substitute();
    else if (name === 'y') {
      const mark = this.#text[this.#at]!;
      this.#at += 1;
      this.#until(mark, true);
      this.#until(mark, true);
    } else if (name === 'w' || name === 'W') this.#file();
    else if (name === 'e') {
      this.runs = true;
      const from = this.#at;
      this.#skip(/[^\n]*/y);
      this.named.commands.push(this.#text.slice(from, this.#at).trim());
    } else if (name === 'v') this.#skip(/[^\n;]*/y);
    else throw new Error(`unknown sed command ${name}`);
  }

  #substitute(): void {
    const mark = this.#text[this.#at];
    if (mark === undefined || mark === '\n' || mark === '\\') throw new Error('bad s command');
    this.#at += 1;
    this.#until(mark);
    const from = this.#at;
    this.#until(mark, true);
    // A plain `&` stands for what was matched.
    const replacement = this.#text
      .slice(from, this.#at - 1)
      .replace(/(\\.)|&/gs, '$1')
      .replace(/\\&/g, '&');
    while (this.#at < this.#text.length) {
      const flag = this.#text[this.#at]!;
      if (flag === 'w') {
        this.#at += 1;
        this.#file();
        return;
      }
      if (flag === 'e') {
        this.runs = true;
        this.named.commands.push(replacement);
      } else if (!/[gpiIMm0-9]/.test(flag)) return;
      this.#at += 1;
    }
  }

  #file(): void {
    this.#skip(/[ \t]*/y);
    const end = this.#text.indexOf('\n', this.#at);
    const name = this.#text.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#text.length : end;
    this.named.files.push(name);
  }

  /** Text of `a`, `i`, `c`: to the end of the line, further after a backslash. */
  #textArgument(): void {
    this.#skip(/(?:\\[\s\S]|[^\n\\])*/y);
  }

  /** Moves behind the next `mark` that is neither escaped nor, in a regular expression, bracketed. */
  #until(mark: string, isPlain = false): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (char === mark) {
        this.#at += 1;
        return;
      }
      if (char === '\\') this.#at += 1;
      else if (char === '[' && !isPlain) this.#bracket();
    }
    throw new Error('unterminated sed command');
  }

  /** Moves to the end of a bracket expression, in which a backslash is a character for GNU sed alone. */
  #bracket(): void {
    this.#skip(/\[\^?\]?(?:\[:\w+:\]|\[[^:\]]|[^\]\\[]|\\[^\]])*/y);
    // Other versions of sed take `\]` for no end: not to be judged.
    if (this.#text[this.#at] !== ']') throw new Error('odd bracket expression');
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex;
  }
}
