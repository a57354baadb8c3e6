import { PactError } from '../../../core/errors.ts';

/** Refuses a second registration that the host would merge with the first. `file` holds the first. */
export function installedTwice(host: string, file: string): PactError {
  return new PactError(
    'CONFLICT',
    'PactClaw is installed here already; with both, every call would be counted twice',
    `Keep one: run \`pactclaw uninstall ${host}\` first, which takes out all.`,
    { file },
  );
}

/** Refuses an installation whose hooks the host would not call, because a setting in `file` switches them off. */
export function switchedOff(key: string, file: string, remedy = `Remove ${key} from this file`): PactError {
  return new PactError(
    'CONFLICT',
    `hooks are switched off here (${key}), so that nothing would be governed`,
    `${remedy}, then install again.`,
    { file },
  );
}
