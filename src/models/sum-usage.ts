import { isObject, type JsonObject } from '../core/json.ts';

/** Sums usage objects of several rounds, key by key; what is no count is taken from the last. */
export function sumUsage(rounds: readonly JsonObject[]): JsonObject {
  const sum: Record<string, unknown> = {};
  for (const round of rounds)
    for (const [key, value] of Object.entries(round)) {
      const before = sum[key];
      if (typeof value === 'number') sum[key] = (typeof before === 'number' ? before : 0) + value;
      else if (isObject(value)) sum[key] = isObject(before) ? sumUsage([before, value]) : value;
      else if (value !== undefined) sum[key] = value;
    }
  return sum as JsonObject;
}
