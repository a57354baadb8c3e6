import type { Call, Handler } from '../call.ts';
import { parseOptions } from '../options.ts';
import { headOf, staticOf, textOf, UNKNOWN } from '../text.ts';
import { folderFrom, leadingAssignments, spaced } from './wrappers.ts';

/** `env`, which changes what its command finds in the environment. */
export const ENV: Readonly<Record<string, Handler>> = { env: (call) => readEnv(call) };

function readEnv(call: Call): void {
  const rules = {
    short: 'uCPS',
    long: ['--unset', '--chdir', '--split-string', '--argv0'],
    stopAtOperand: true,
  };
  let options = parseOptions(call.args, rules);
  const cleared = options.values('-u', '--unset').map(headOf);
  let isCleared = options.has('-i', '--ignore-environment');
  // `env -` is `env -i`; some versions take more options behind it.
  if (staticOf(options.operands[0] ?? []) === '-') {
    isCleared = true;
    options = parseOptions(options.operands.slice(1), rules);
  }
  const folder = folderFrom(call, options);
  const [text] = options.values('-S', '--split-string');
  const { argv, env } = leadingAssignments(call, options.operands);
  for (const name of [...call.state.vars.keys(), ...call.env.keys()])
    if ((isCleared || cleared.includes(name)) && !env.has(name)) env.set(name, UNKNOWN);
  // `env -S 'cmd arg'` splits its text into words much as a shell does; what stands in it may be assignments too.
  if (text !== undefined)
    call.script(spaced([textOf('env '), text, ...options.operands]), { ...folder, env });
  else if (argv.length > 0) call.run(argv, { ...folder, env });
}
