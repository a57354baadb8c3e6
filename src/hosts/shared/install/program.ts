import { messageOf, PactError } from '../../../core/errors.ts';
import { exists, listNames } from '../../../platform/files.ts';
import { isExecutable, run } from '../../../platform/run.ts';

/** Refuses to register a program that is not there: the host would refuse every call from then on. */
export function assertProgram(install: string): void {
  const needed = [
    [`${install}/bin/pactclaw-hook`, isExecutable],
    [`${install}/bin/pactclaw`, exists],
    [`${install}/dist/hook.cjs`, exists],
  ] as const;
  for (const [file, isUsable] of needed)
    if (!isUsable(file))
      throw new PactError(
        'NOT_FOUND',
        'a part of PactClaw is missing or cannot be executed',
        'In a clone, run `npm run build`; else install PactClaw again.',
        { file },
      );
}

function hasCache(dist: string, version: string, arch: string): boolean {
  return listNames(dist).some((name) => name.endsWith(`.${version}-${arch}.cache`));
}

/**
 * Makes V8's code cache for the Node that the hooks will run on. Without it they only start slower, so a failure is
 * told and stops nothing.
 */
export async function makeCodeCache(
  install: string,
  node: { readonly file: string; readonly version: string; readonly arch: string },
): Promise<string | null> {
  const dist = `${install}/dist`;
  try {
    if (hasCache(dist, node.version, node.arch)) return null;
    await run(node.file, [`${dist}/hook.cjs`, '--make-cache'], { timeoutMs: 30_000 });
    if (hasCache(dist, node.version, node.arch)) return null;
  } catch (error) {
    return `the hook's code cache cannot be made (${messageOf(error)}); hooks will start slower`;
  }
  return `the hook's code cache cannot be made in ${dist}; hooks will start slower`;
}
