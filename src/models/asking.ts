const ESCAPED_LETTER = /\\u00([4-7][0-9a-f])/gi;

/**
 * A test of an event's own text for what asks for a call, wherever in it. Readers of JSON take an escaped letter for the
 * letter, and some take a key in any case; what a word consists of beside letters and `_` is not unescaped, so that text
 * which speaks of such a word is not taken for it.
 */
export function asking(pattern: RegExp): (raw: string) => boolean {
  const loose = new RegExp(pattern.source, 'iu');
  return (raw) => {
    if (loose.test(raw)) return true;
    return raw.includes('\\u') && loose.test(raw.replace(ESCAPED_LETTER, letterOf));
  };
}

function letterOf(escaped: string, code: string): string {
  const letter = String.fromCharCode(Number.parseInt(code, 16));
  return /[a-z_]/i.test(letter) ? letter : escaped;
}
