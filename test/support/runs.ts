/** True when `npm run test:fuzz` looks for new failures. */
export const FUZZ = process.env.PACTCLAW_FUZZ !== undefined;

/**
 * How often a costly property is tried. `npm test` makes the same cases in every run, so that a quarter of them does;
 * `npm run test:fuzz` makes new ones each time and tries them all.
 */
export const runs = (times: number): number => (FUZZ ? times : Math.ceil(times / 4));
