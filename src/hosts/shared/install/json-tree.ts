import { PactError } from '../../../core/errors.ts';

/** A value in a JSON text with the place where it stands. `children` is null for what holds nothing. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  readonly kind: 'object' | 'array' | 'scalar';
  readonly children: readonly JsonChild[];
}

/** A member or an item; it begins at its key, when it has one. */
export interface JsonChild {
  readonly key: string | number;
  readonly start: number;
  readonly node: JsonNode;
}

const SCALAR =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SPACE = /[ \t\r\n]*/y;
/** Deepest nesting that is read: more than any settings file has, and well within the stack. */
const MAX_DEPTH = 200;

/** Reads strict JSON and remembers where everything stands: the host takes neither comments nor trailing commas. */
class Reader {
  #at: number;

  constructor(
    readonly text: string,
    readonly file: string,
  ) {
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
  }

  read(): JsonNode {
    this.#skip();
    if (this.#at === this.text.length) this.#fail('it is empty');
    const node = this.#value(0);
    this.#skip();
    if (this.#at < this.text.length) this.#fail('text follows its end');
    return node;
  }

  #value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) this.#fail('it is nested too deeply');
    const open = this.text[this.#at];
    if (open === '{' || open === '[') return this.#container(open, depth);
    const start = this.#at;
    const scalar = this.#take(SCALAR);
    if (scalar === null) this.#fail(this.#describe());
    return { start, end: this.#at, kind: 'scalar', children: [] };
  }

  #container(open: '{' | '[', depth: number): JsonNode {
    const start = this.#at;
    const close = open === '{' ? '}' : ']';
    const children: JsonChild[] = [];
    this.#at += 1;
    this.#skip();
    while (this.text[this.#at] !== close) {
      if (children.length > 0) {
        if (this.text[this.#at] !== ',') this.#fail(this.#describe());
        this.#at += 1;
        this.#skip();
      }
      children.push(this.#child(open === '{' ? null : children.length, depth));
      this.#skip();
    }
    this.#at += 1;
    return { start, end: this.#at, kind: open === '{' ? 'object' : 'array', children };
  }

  #child(index: number | null, depth: number): JsonChild {
    const start = this.#at;
    if (index !== null) return { key: index, start, node: this.#value(depth + 1) };
    const key = this.#take(STRING);
    if (key === null) this.#fail(this.#describe());
    this.#skip();
    if (this.text[this.#at] !== ':') this.#fail(this.#describe());
    this.#at += 1;
    this.#skip();
    return { key: JSON.parse(key) as string, start, node: this.#value(depth + 1) };
  }

  #describe(): string {
    const rest = this.text.slice(this.#at, this.#at + 2);
    if (rest === '') return 'it ends too early';
    if (rest === '//' || rest === '/*')
      return 'it has a comment, and with one the host ignores the whole file';
    if (rest[0] === '}' || rest[0] === ']')
      return 'a comma has nothing after it, and so the host ignores the file';
    return `\`${this.text[this.#at]}\` is not expected here`;
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text);
    if (!match) return null;
    this.#at = pattern.lastIndex;
    return match[0];
  }

  #skip(): void {
    this.#take(SPACE);
  }

  #fail(why: string): never {
    throw notUsable(this.file, this.text, this.#at, `the file is not JSON: ${why}`);
  }
}

/** A refusal to touch a file, with the line that is to blame. */
export function notUsable(file: string, text: string, at: number, message: string): PactError {
  const line = text.slice(0, at).split('\n').length;
  return new PactError('PARSE_ERROR', message, 'Correct the file by hand; it was left as it is.', {
    file,
    line,
  });
}

/** The tree of a JSON text. Throws a PactError with file and line on anything that is not strict JSON. */
export function readTree(text: string, file: string): JsonNode {
  return new Reader(text, file).read();
}

/** The child of a key; undefined when there is none. Refuses a duplicate key, because readers disagree on its value. */
export function childOf(
  node: JsonNode,
  key: string | number,
  text: string,
  file: string,
): JsonChild | undefined {
  const found = node.children.filter((child) => child.key === key);
  if (found[1])
    throw notUsable(file, text, found[1].start, `${JSON.stringify(key)} stands twice in one object`);
  return found[0];
}
