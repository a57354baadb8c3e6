import { maskSecrets } from '../core/mask-secrets.ts';
import type { ReceiptDraft } from '../core/receipt.ts';

/** A receipt whose words carry no secret that a path, a reason or a name had in it. */
export function withoutSecrets(draft: ReceiptDraft): ReceiptDraft {
  const { target, note, violation, intent_event: change } = draft;
  return {
    ...draft,
    ...(target === undefined ? {} : { target: maskSecrets(target) }),
    ...(note === undefined ? {} : { note: maskSecrets(note) }),
    ...(change?.event === 'blocked'
      ? { intent_event: { ...change, reason: maskSecrets(change.reason) } }
      : {}),
    ...(violation === undefined
      ? {}
      : {
          violation: {
            ...violation,
            message: maskSecrets(violation.message),
            ...(violation.target === undefined ? {} : { target: maskSecrets(violation.target) }),
          },
        }),
  };
}
