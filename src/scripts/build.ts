import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';

/**
 * Builds `dist/`: the hook as one CommonJS bundle with its own V8 code cache (a fresh process must answer in a few
 * milliseconds), the rest of the command line as split ESM beside the installed packages.
 * `--out DIR` builds elsewhere; `--without HOOK` leaves a named hook out, for the tests that cut the wiring.
 */
const root = path.resolve(import.meta.dirname, '../..');

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** Takes one hook out of the pipeline's list. Only a build can do it: at run time there is no such switch. */
function without(hook: string): Plugin {
  return {
    name: 'without-hook',
    setup(target) {
      target.onLoad({ filter: /src\/hooks\/pipeline\.ts$/ }, ({ path: file }) => {
        const source = fs.readFileSync(file, 'utf8');
        if (!source.includes(`'${hook}'`)) throw new Error(`no hook is named ${hook}`);
        const whole = 'export const PIPELINE: readonly NamedHook[] = [';
        const cut = source
          .replace(whole, 'const WHOLE: readonly NamedHook[] = [')
          .replace(/^\];$/m, `];\nexport const PIPELINE = WHOLE.filter((hook) => hook.name !== '${hook}');`);
        return { contents: cut, loader: 'ts' };
      });
    },
  };
}

const dist = path.resolve(option('--out') ?? path.join(root, 'dist'));
const hook = option('--without');
const plugins = hook === undefined ? [] : [without(hook)];
const version = (JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string })
  .version;
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  plugins,
  logLevel: 'warning',
  define: { PACTCLAW_VERSION: JSON.stringify(version) },
} as const;

fs.rmSync(dist, { recursive: true, force: true });
await build({
  ...shared,
  entryPoints: [path.join(root, 'src/cli/hook-main.ts')],
  format: 'cjs',
  minify: true,
  outfile: path.join(dist, 'hook-main.js'),
});
await build({
  ...shared,
  entryPoints: { cli: path.join(root, 'src/cli/main.ts'), api: path.join(root, 'src/hooks/index.ts') },
  format: 'esm',
  packages: 'external',
  splitting: true,
  outdir: dist,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
});
fs.copyFileSync(path.join(root, 'src/cli/hook-loader.cjs'), path.join(dist, 'hook.cjs'));
const warmed = spawnSync(process.execPath, [path.join(dist, 'hook.cjs'), '--make-cache'], {
  encoding: 'utf8',
});
if (warmed.status !== 0) throw new Error(`the code cache could not be made: ${warmed.stderr}`);
