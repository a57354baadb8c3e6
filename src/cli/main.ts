import { buildProgram } from './program.ts';
import { reportError, runProgram } from './run.ts';

const args = process.argv.slice(2);
try {
  process.exitCode = await runProgram(await buildProgram(args[0]), args);
} catch (error) {
  process.exitCode = reportError(error, args.includes('--json'));
}
