import { PactError } from '../../core/errors.ts';
import type { Part } from './part.ts';

interface TextPartOptions {
  readonly file: string;
  readonly content: string;
  /** True for a text that we wrote, in this version or another. */
  readonly isOurs: (text: string) => boolean;
  readonly executable?: boolean;
}

/** A file that is ours as a whole: a plugin, a hook script. One that somebody else wrote is never replaced. */
export function textPart({ file, content, isOurs, executable }: TextPartOptions): Part {
  return {
    file,
    key: file,
    blank: '',
    entries: [{ path: [], value: content }],
    whole: true,
    ...(executable ? { executable } : {}),
    add(text) {
      if (text === content) return null;
      if (text !== '' && !isOurs(text))
        throw new PactError(
          'CONFLICT',
          'a file of somebody else stands where PactClaw would put its own',
          'Move it away, then install again.',
          { file },
        );
      return { text: content, kept: [] };
    },
    strip: (text) => (isOurs(text) ? '' : text),
  };
}

const BEGIN = '# >>> pactclaw: written by `pactclaw install`, removed by `pactclaw uninstall`';
const END = '# <<< pactclaw';

/** The text without our marked block; the bytes around it stay. */
function withoutBlock(text: string): string {
  const start = text.indexOf(BEGIN);
  const end = start < 0 ? -1 : text.indexOf(END, start);
  if (end < 0) return text;
  const after = text.slice(end + END.length).replace(/^\n/, '');
  return text.slice(0, start).replace(/\n$/, '') + after;
}

/**
 * Lines at the end of a file whose format has comments with `#` (TOML), between two marks. `assertFree` is given the
 * text without them and throws when they would clash with it.
 */
export function blockPart(options: {
  readonly file: string;
  readonly lines: readonly string[];
  readonly assertFree: (text: string) => void;
}): Part {
  const { file, lines } = options;
  const block = [BEGIN, ...lines, END, ''].join('\n');
  return {
    file,
    key: `${file}#block`,
    blank: '',
    entries: [{ path: [], value: lines.join('\n') }],
    add(text) {
      const clean = withoutBlock(text);
      options.assertFree(clean);
      const wanted = clean === '' ? block : `${clean}\n${block}`;
      return wanted === text ? null : { text: wanted, kept: [] };
    },
    strip: withoutBlock,
  };
}
