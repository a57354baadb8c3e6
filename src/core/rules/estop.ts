import type { Rule } from '../ruling.ts';

/** While the emergency stop is set nothing runs, the handshake included (R-139, C-38). */
export const estopRule: Rule = {
  name: 'emergency-stop',
  kind: 'estop',
  judge: ({ estop }) =>
    estop === null
      ? 'pass'
      : {
          kind: 'estop',
          sentence: 'Emergency Stop: all tools are stopped',
          remedy: `A human stopped every agent of this machine (${estop}). You may still answer with text. A human ends it with: pactclaw estop --clear`,
          target: estop,
        },
};
