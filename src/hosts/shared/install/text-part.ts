import { PactError } from '../../../core/errors.ts';
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
