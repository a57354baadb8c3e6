import fc from 'fast-check';
import { expect } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import type { ToolCall } from '../../../src/core/tool-call.ts';

/**
 * Whatever a host's hook is given: its decoder throws a PactError, or gives the call of a file's write. `payload` is a
 * good message about such a write with other arguments.
 */
export function expectWriteOrError(
  decode: (bytes: Buffer) => Pick<ToolCall, 'tool'>,
  ...payloads: readonly ((args: unknown) => object)[]
): void {
  const messages = payloads.map((payload) => fc.jsonValue().map((args) => JSON.stringify(payload(args))));
  fc.assert(
    fc.property(fc.oneof(fc.json(), ...messages), (text) => {
      try {
        expect(decode(Buffer.from(text)).tool).toBe('file_write');
      } catch (error) {
        expect(error).toBeInstanceOf(PactError);
      }
    }),
  );
}
