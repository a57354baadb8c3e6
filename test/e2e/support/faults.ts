/**
 * Ways in which the program that a host starts for a hook breaks, brought about in the middle of a session: the model's
 * answer that asks for the call is the moment, so that everything before it was governed and the next hook is not.
 */
import fs from 'node:fs';
import path from 'node:path';
import { PACKAGE } from './governed.ts';

/**
 * What can break: the program that the host itself starts, the engine that this one starts, or, in a host that loads our
 * code into itself, that code.
 */
export const LEVELS = ['launcher', 'engine', 'plugin'] as const;
export type Level = (typeof LEVELS)[number];

export const FAULTS = ['killed', 'garbage', 'missing', 'timed out'] as const;
export type Fault = (typeof FAULTS)[number];

/** Seconds that a registered hook may take here, in place of its own. */
const TIMEOUT_S = 5;
/** Seconds after which the launcher gives the engine up here; enough for a real decision on a busy machine. */
const LIMIT_S = 3;
const HANGS_S = 3 * TIMEOUT_S;

/** Programs that break. Each is read anew at every start, so that a running one is not disturbed. */
const PROGRAMS: Record<Level, Record<Exclude<Fault, 'missing'>, string>> = {
  launcher: {
    killed: '#!/bin/sh\nkill -9 $$\n',
    garbage: "#!/bin/sh\necho 'no such {{{'\n",
    'timed out': `#!/bin/sh\nexec sleep ${HANGS_S}\n`,
  },
  engine: {
    killed: "process.kill(process.pid, 'SIGKILL');\n",
    garbage: "console.log('no such {{{');\n",
    'timed out': `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${HANGS_S}_000);\n`,
  },
  // What is loaded cannot be killed by itself: it fails.
  plugin: {
    killed: "throw new Error('broken');\n",
    garbage: 'no such {{{\n',
    'timed out': 'await new Promise((resolve) => setTimeout(resolve, 600_000));\n',
  },
};

/** A copy of the package whose programs can be broken and mended. */
export class BreakablePackage {
  readonly #programs = new Map<Level, { readonly file: string; readonly good: string }>();

  /** `plugin`: the file of `dist` that the host loads into itself, where it does. */
  constructor(
    readonly folder: string,
    plugin?: string,
  ) {
    for (const part of ['bin', 'dist', 'package.json'])
      fs.cpSync(path.join(PACKAGE, part), path.join(folder, part), { recursive: true });
    fs.symlinkSync(path.join(PACKAGE, 'node_modules'), path.join(folder, 'node_modules'));
    this.#add('launcher', 'bin/pactclaw-hook', (text) => {
      const quick = text.replace(/(-s KILL |alarm\()\d+/g, `$1${LIMIT_S}`);
      if (quick === text) throw new Error('the launcher has no limit for the engine that this knows');
      return quick;
    });
    this.#add('engine', 'dist/hook.cjs');
    if (plugin !== undefined) this.#add('plugin', `dist/${plugin}`);
    this.mend();
  }

  #add(level: Level, part: string, prepare = (text: string) => text): void {
    const file = path.join(this.folder, part);
    this.#programs.set(level, { file, good: prepare(fs.readFileSync(file, 'utf8')) });
  }

  break(level: Level, fault: Fault): void {
    this.mend();
    const { file } = this.#programs.get(level)!;
    if (fault === 'missing') fs.rmSync(file);
    else replace(file, PROGRAMS[level][fault]);
  }

  mend(): void {
    for (const { file, good } of this.#programs.values()) replace(file, good);
  }
}

/** A new file in the place of the old one: a shell that still reads the old one reads it to its end. */
function replace(file: string, text: string): void {
  fs.writeFileSync(`${file}.new`, text, { mode: 0o755 });
  fs.renameSync(`${file}.new`, file);
}

/**
 * Makes the timeouts that are registered in these files short, so that a hang costs a test seconds. Seconds and
 * milliseconds are told apart by their size. Tells how many there were.
 */
export function shortenTimeouts(files: readonly string[]): number {
  let changed = 0;
  for (const file of files) {
    const text = fs.readFileSync(file, 'utf8');
    const short = text.replace(
      /(?<!startup_)(timeout\w*"?\s*[:=]\s*)(\d+)/gi,
      (_, key: string, value: string) => {
        changed += 1;
        return `${key}${Number(value) >= 1000 ? TIMEOUT_S * 1000 : TIMEOUT_S}`;
      },
    );
    if (short !== text) fs.writeFileSync(file, short);
  }
  return changed;
}
