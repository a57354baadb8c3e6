import type { EventAnswer, PreToolAnswer } from '../../hooks/requests.ts';
import type { HookReply } from '../adapter.ts';
import type { GenericAnswer } from './contract.ts';
import { CONTRACT } from './names.ts';

/** The answer to an event that decides nothing and has nothing to tell. */
export const NOTHING: GenericAnswer = {
  contract: CONTRACT,
  verdict: 'none',
  reason: null,
  rule: null,
  hook: null,
  receipt: null,
  context: null,
  alarm: null,
  handshake: null,
};

/** A refusal of ours where nothing could be judged. */
export function refusal(reason: string): GenericAnswer {
  return { ...NOTHING, verdict: 'deny', reason, rule: 'fail-safe' };
}

/** What the engine tells at an event that decides nothing. */
export function told(answer: EventAnswer): GenericAnswer {
  return { ...NOTHING, context: answer.context, alarm: answer.alarm };
}

/** The engine's word on a call. */
export function judged({ decision, text, hook, receiptId }: PreToolAnswer): GenericAnswer {
  const { verdict, refusedBy } = decision;
  return {
    ...NOTHING,
    // A question that nobody can be asked here is a refusal.
    verdict: verdict === 'ask' ? 'deny' : verdict,
    reason: text,
    rule: refusedBy,
    hook,
    receipt: receiptId,
  };
}

/** True for an answer after which the tool must not run. */
export function isRefusal({ verdict }: GenericAnswer): boolean {
  return verdict === 'deny' || verdict === 'halt';
}

/** One line of JSON; a refusal also in the two forms that most hosts honour: standard error and exit code 2. */
export function encodeAnswer(answer: GenericAnswer): HookReply {
  const refused = isRefusal(answer);
  const aloud = refused ? answer.reason : answer.alarm;
  return {
    stdout: `${JSON.stringify(answer)}\n`,
    stderr: aloud === null ? '' : `${aloud}\n`,
    code: refused ? 2 : 0,
  };
}
