import { pluginAdapter } from '../shared/in-process/adapter.ts';
import { EVENTS, handleEvent } from './handle.ts';
import { HOST } from './names.ts';

/** OpenCode, whose plugin starts the hook (docs/hosts/opencode.md). */
export const opencode = pluginAdapter(HOST, EVENTS, handleEvent);
