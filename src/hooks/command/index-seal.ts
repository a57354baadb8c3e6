/** Note that tells our own snapshot index from one that a command has put there. */
export const INDEX_SEAL = 'shadow-index';
