import { MAX_MESSAGE } from './wire.ts';

/** Longest part of an event stream without an empty line, in bytes: one message and its envelope. */
const MAX_EVENT = MAX_MESSAGE + 1024;
const EMPTY_LINE = /\r?\n\r?\n/;

/** A door that can be shut for a while. */
export class Gate {
  #open: Promise<void> | null = null;
  #let: () => void = () => undefined;

  shut(): void {
    this.#open ??= new Promise((resolve) => {
      this.#let = resolve;
    });
  }

  unlock(): void {
    this.#let();
    this.#open = null;
  }

  async pass(): Promise<void> {
    while (this.#open) await this.#open;
  }
}

/** A response's body at the reader's pace, broken off where a single message is too long. `ended` is told once. */
export function bounded(
  body: ReadableStream<Uint8Array>,
  gate: Gate,
  isStream: boolean,
  ended: (canResume: boolean) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder('latin1');
  let size = 0;
  let tail = '';
  let canResume = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        await gate.pass();
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          ended(canResume);
          return;
        }
        size += value.length;
        if (isStream) {
          const text = tail + decoder.decode(value);
          tail = text.slice(-4);
          canResume ||= /(^|\n)id:/.test(text);
          if (EMPTY_LINE.test(text)) size = 0;
        }
        if (size > MAX_EVENT) throw new Error(`it sent a message longer than ${MAX_MESSAGE} bytes`);
        controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        ended(canResume);
        void reader.cancel().catch(() => undefined);
      }
    },
    cancel: (why) => reader.cancel(why),
  });
}
