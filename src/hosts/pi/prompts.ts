import type { Message } from './host.ts';

/**
 * Which of the host's user messages are requests that the engine has not heard of. What is typed while the agent works
 * is delivered between two turns; told when it is typed, it would end calls that are still running.
 */
export interface Prompts {
  /** A request was typed and told at once. */
  told(): void;
  /** A request was typed that is delivered later. */
  waits(source: string): void;
  /** The source of a delivered message that is still to be told; null for one that was told. */
  delivered(message: Message): string | null;
}

export function createPrompts(): Prompts {
  let ahead = false;
  const waiting: string[] = [];
  return {
    told() {
      ahead = true;
    },
    waits: (source) => void waiting.push(source),
    delivered({ role }) {
      if (role !== 'user') return null;
      if (!ahead) return waiting.shift() ?? 'unknown';
      ahead = false;
      return null;
    },
  };
}
