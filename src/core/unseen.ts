/**
 * Characters that break a line, hide text or reverse it: controls, line separators, bidirectional marks, and characters that
 * show nothing, among them the tags (U+E0000 on) in which a whole message can hide from a human and not from a model.
 */
export const UNSEEN =
  /\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\u{e0100}-\u{e01ef}]|[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/gu;

/** Returns the text with every character visible: characters that break a line or hide are escaped. */
export function visible(text: string): string {
  return text.toWellFormed().replace(UNSEEN, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** Longest name that goes into a message. */
const MAX_NAME = 300;

/**
 * Quotes a file's name for a message. Anybody can choose a name, so one with unusual characters is put in quotes and on
 * one line: it must not read like PactClaw's own words (F-20).
 */
export function quotedName(name: string): string {
  const seen = visible(name);
  const short = seen.length > MAX_NAME ? `${seen.slice(0, MAX_NAME)}…` : seen;
  return /^[\p{L}\p{N}./@+~_-]+$/u.test(short) ? short : `"${short.replaceAll('"', '\\"')}"`;
}
