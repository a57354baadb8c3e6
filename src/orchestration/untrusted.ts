import { toWellFormed } from '../core/json.ts';

const OPEN = '<UNTRUSTED_CONTEXT>';
const CLOSE = '</UNTRUSTED_CONTEXT>';
/** Any spelling of the tags that a reader could take for one. */
const TAG = /<(?=[\s/\\]*UNTRUSTED[\s_-]*CONTEXT)/giu;

/** Text of agents with the wrapper's tags and its headings made harmless (A-51, C-27). */
export function defuse(text: string): string {
  return toWellFormed(text)
    .replace(/[\u200b-\u200f\u2060-\u2064\ufeff]/g, '')
    .replace(TAG, '&lt;')
    .replace(/^([^\S\n\r]*)(?=#{1,6}(?:\s|$))/gm, '$1\\');
}

/** Wraps what agents wrote: reference, never instruction (A-22, C-27, C-60). Nothing inside can close the wrapper. */
export function wrapUntrusted(text: string): string {
  return `${OPEN}\n${defuse(text)}\n${CLOSE}`;
}
