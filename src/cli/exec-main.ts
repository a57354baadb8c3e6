import path from 'node:path';
import { runExec } from './exec.ts';

/** Entry of the bundle that runs an agent's commands in containers. */
void runExec(process.argv.slice(2), path.resolve(__dirname, '..')).then((code) => {
  process.exit(code);
});
