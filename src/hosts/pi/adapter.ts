import { pluginAdapter } from '../shared/in-process/adapter.ts';
import { EVENTS, handleEvent } from './handle.ts';
import { HOST } from './names.ts';

/** pi, whose extension starts the hook (its docs/extensions.md). */
export const pi = pluginAdapter(HOST, EVENTS, handleEvent);
