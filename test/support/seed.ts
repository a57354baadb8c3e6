import fc from 'fast-check';
import { FUZZ } from './runs.ts';

/**
 * The property tests' seed. The same in every run, so that what a change broke is told from what was broken before it;
 * `npm run test:fuzz` looks for the latter with a new seed each time, which fast-check prints when a property fails.
 */
const SEED = 20_261_121;

if (!FUZZ) fc.configureGlobal({ seed: SEED });
