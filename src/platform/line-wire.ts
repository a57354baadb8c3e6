import type { Readable, Writable } from 'node:stream';
import type { JsonValue } from '../core/json.ts';
import { LineSplitter } from './line-splitter.ts';
import { MAX_MESSAGE, type Wire, type WireHandlers } from './wire.ts';

/** How a line wire behaves at its edges. */
export interface LineWireOptions {
  readonly maxBytes?: number;
  /** What `close` does besides ending the stream that is written to. */
  readonly end?: () => Promise<void>;
  /** Why the other end is gone, for who can find out; `guess` is what the stream tells. */
  readonly reason?: (guess: string) => Promise<string>;
  /** A message over the bound ends the connection; else it is told of as garbage. */
  readonly longIsFatal?: boolean;
}

/** One JSON message a line, as the stdio transport of MCP has it (specification 2025-11-25, Transports). */
export class LineWire implements Wire {
  #handlers: WireHandlers | null = null;
  #closed = false;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly options: LineWireOptions = {},
  ) {}

  start(handlers: WireHandlers): void {
    this.#handlers = handlers;
    const { maxBytes = MAX_MESSAGE, longIsFatal = false } = this.options;
    const tooLong = () => {
      const what = `a message longer than ${maxBytes} bytes`;
      if (longIsFatal) this.fail(`it sent ${what}`);
      else handlers.garbage(what);
    };
    const lines = new LineSplitter(maxBytes, (line) => this.#take(line), tooLong);
    this.input.on('data', (chunk: Buffer) => lines.push(chunk));
    this.input.once('end', () => this.#gone('it closed the connection'));
    this.input.once('error', (error) => this.#gone(error.message));
    this.output.once('error', (error) => this.#gone(error.message));
    this.output.once('close', () => this.#gone('it closed the connection'));
    this.output.on('drain', () => handlers.drained());
  }

  #gone(guess: string): void {
    const { reason } = this.options;
    if (reason) void reason(guess).then((why) => this.fail(why));
    else this.fail(guess);
  }

  #take(line: string): void {
    if (this.#closed || line === '') return;
    let value: JsonValue;
    try {
      value = JSON.parse(line) as JsonValue;
    } catch {
      this.#handlers?.garbage(`a line that is not JSON: ${line.slice(0, 120)}`);
      return;
    }
    this.#handlers?.message(value);
  }

  send(message: object): undefined {
    if (!this.#closed && this.output.writable) this.output.write(`${JSON.stringify(message)}\n`);
  }

  get backlog(): number {
    return this.output.writableLength;
  }

  pause(): void {
    this.input.pause();
  }

  resume(): void {
    this.input.resume();
  }

  /** Gives the other end up: nothing more is delivered. */
  fail(why: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#handlers?.closed(why);
  }

  async close(): Promise<void> {
    if (!this.output.destroyed) this.output.end();
    await this.options.end?.();
    this.fail('it was closed');
  }
}
