import type { EventAnswer } from '../../../hooks/requests.ts';
import type { HookReply } from '../../adapter.ts';
import type { Answers } from '../hook-host.ts';
import { bounded, jsonReply, noticeReply, refusalReply } from './reply.ts';

/** Answer to events that carry nothing back: an alarm goes to whoever reads standard error. */
export function encodeNotice({ alarm }: EventAnswer): HookReply {
  return alarm === null ? jsonReply({}) : noticeReply({}, bounded(alarm));
}

/** Answers for a host whose only refusal is exit code 2. Its agent reads standard error. */
export const EXIT_ANSWERS: Answers = {
  refuse: (text) => refusalReply({}, bounded(text)),
  result: (_event, answer) => encodeNotice(answer),
  context: (_event, answer) => encodeNotice(answer),
  notice: encodeNotice,
};
