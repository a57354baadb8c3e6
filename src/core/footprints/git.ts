import { files, folders, type Place } from './footprint.ts';

/** Git is no host, but its settings decide what runs when a human or a host calls it (git-config(1), githooks(5)). */
export const GIT_NAME = '.git';

export const GIT_PLACES: readonly Place[] = [
  ...folders('runs', ['project'], GIT_NAME, ['hooks']),
  ...files('settings', ['project'], [`${GIT_NAME}/info/attributes`, `${GIT_NAME}/info/exclude`]),
  // What is ignored by name for this user could hide new folders from the snapshots.
  ...files('settings', ['home'], ['.config/git/attributes', '.config/git/ignore']),
];

/** Settings of which only what runs a program, or leads git elsewhere, is guarded: ordinary commands write the rest. */
export const GIT_SETTINGS: readonly Place[] = [
  ...files('settings', ['project'], [`${GIT_NAME}/config`, `${GIT_NAME}/config.worktree`]),
  ...files('settings', ['home'], ['.gitconfig', '.config/git/config']),
];
