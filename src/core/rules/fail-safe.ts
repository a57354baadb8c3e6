import type { Rule } from '../ruling.ts';

/** Missing, broken or unwritable governance state refuses every call (H-100, H-101; invariant 8 of the constitution). */
export const failSafeRule: Rule = {
  name: 'fail-safe',
  kind: 'fail_safe',
  judge: ({ failSafe }) => {
    if (!failSafe) return 'pass';
    const place = failSafe.file ? ` (${failSafe.file}${failSafe.line ? `:${failSafe.line}` : ''})` : '';
    return {
      kind: 'fail_safe',
      sentence: `Fail-Safe Default: ${failSafe.reason}${place}`,
      remedy: `No tool runs until a human restores it. ${failSafe.remedy}`,
      ...(failSafe.file ? { target: failSafe.file } : {}),
    };
  },
};
