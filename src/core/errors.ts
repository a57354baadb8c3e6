/** Closed set of codes; every error that leaves a module carries one (C-47). */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'VALIDATION_ERROR'
  | 'PARSE_ERROR'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'PERMISSION_DENIED'
  | 'INVARIANT_BROKEN'
  | 'TIMEOUT'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/**
 * An error that a user can act on: what was wrong, where, and what to do. `message` is one line without a full
 * stop; `remedy` is a sentence.
 */
export class PactError extends Error {
  override readonly name = 'PactError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly remedy: string,
    readonly place: { readonly file?: string; readonly line?: number } = {},
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Governance state that cannot be trusted; the engine answers it with the fail-safe refusal (H-100, H-101). */
export class StateError extends PactError {
  constructor(
    message: string,
    place: { readonly file?: string; readonly line?: number },
    remedy: string,
    options?: { readonly cause?: unknown },
  ) {
    super('INVARIANT_BROKEN', message, remedy, place, options);
  }
}

/** Text of anything thrown, for messages. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
