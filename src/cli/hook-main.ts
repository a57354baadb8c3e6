import path from 'node:path';
import { runHook } from './hook.ts';

/** Entry of the hook bundle, which holds nothing that a call does not need. */
void runHook(process.argv.slice(2), path.resolve(__dirname, '..'));
