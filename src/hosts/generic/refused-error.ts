/** What of an answer says why. */
interface RefusingAnswer {
  readonly reason: string | null;
  readonly alarm: string | null;
  readonly rule: string | null;
  readonly verdict: string;
}

/**
 * A governed tool that did not run, or whose result must not be used. Its message is written for the agent: hand it to
 * the model as the tool's result.
 */
export class RefusedError extends Error {
  override readonly name: 'RefusedError' = 'RefusedError';
  /** What was refused, and what the agent may do instead. */
  readonly reason: string;
  /** The rule that refused; null where the tool had run. */
  readonly rule: string | null;
  /** `halt`: nothing more will be allowed in this session before a human looks at it. */
  readonly verdict: 'deny' | 'halt';
  /** `after`: the tool has run; what it changed outside its scope was undone, or could not be recorded. */
  readonly when: 'before' | 'after';

  constructor({ reason, alarm, rule, verdict }: RefusingAnswer, when: 'before' | 'after') {
    const text = (when === 'before' ? reason : (alarm ?? reason)) ?? 'Refused.';
    super(text);
    this.reason = text;
    this.rule = when === 'before' ? rule : null;
    this.verdict = verdict === 'halt' ? 'halt' : 'deny';
    this.when = when;
  }
}
