/** What breaks a line, hides text or turns it round: controls, line separators, zero width, bidirectional marks. */
export const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
