import type { Handler } from '../call.ts';
import { ARCHIVES } from './archives.ts';
import { COPIES } from './copies.ts';
import { EDITORS } from './editors.ts';
import { ENV } from './env.ts';
import { FILES } from './files.ts';
import { FINDERS } from './finders.ts';
import { GIT } from './git.ts';
import { NETWORK } from './network.ts';
import { OPAQUE } from './opaque.ts';
import { PATCHES } from './patches.ts';
import { READER_HANDLERS } from './readers.ts';
import { SHELL_STATE } from './shell-state.ts';
import { SHELLS } from './shells.ts';
import { WRAPPER_HANDLERS } from './wrappers.ts';

/** Every command of which more is known than that it only reads. A Map, so that no command is named `constructor`. */
export const HANDLERS: ReadonlyMap<string, Handler> = new Map(
  [
    OPAQUE,
    PATCHES,
    READER_HANDLERS,
    ARCHIVES,
    COPIES,
    EDITORS,
    ENV,
    FILES,
    FINDERS,
    GIT,
    NETWORK,
    SHELL_STATE,
    SHELLS,
    WRAPPER_HANDLERS,
  ].flatMap((group) => Object.entries(group)),
);
