import type { Wire, WireHandlers } from '../platform/wire.ts';

/** A wire that speaks another dialect than the one inside it; what carries no message goes through as it is. */
export abstract class WrappedWire implements Wire {
  protected handlers: WireHandlers | null = null;

  constructor(protected readonly wire: Wire) {}

  abstract start(handlers: WireHandlers): void;
  abstract send(message: object, about?: string | number): Promise<void> | undefined;

  get backlog(): number {
    return this.wire.backlog;
  }

  pause(): void {
    this.wire.pause();
  }

  resume(): void {
    this.wire.resume();
  }

  close(): Promise<void> {
    return this.wire.close();
  }
}
