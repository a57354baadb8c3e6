import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { warmCaches } from './warm-caches.ts';
import { writeTypes } from './write-types.ts';

/**
 * Builds `dist/`: the hook as a CommonJS bundle with its own V8 code cache (a fresh process must answer in a few
 * milliseconds), the rest of the command line as split ESM beside the installed packages.
 * `--out DIR` builds elsewhere; `--without HOOK` leaves a named hook out, for the tests that cut the wiring.
 */
const root = path.resolve(import.meta.dirname, '../..');
const requireBuiltin = createRequire(import.meta.url);

/** Parts of the hook that few calls need: bundles of their own, by the module that is loaded on demand. */
const CHUNKS: Readonly<Record<string, string>> = {
  'hook-intents': 'src/orchestration/parse-intents.ts',
  'hook-edit': 'src/orchestration/edit-intents.ts',
  'hook-policy': 'src/config/parse-policy.ts',
  'hook-shell': 'src/security/shell/index.ts',
  'hook-log': 'src/cli/operator-log.ts',
  'hook-contract': 'src/hosts/generic/contract.ts',
};

/** What hosts with in-process plugins load: each runs in the host's own process, without our packages beside it. */
const PLUGINS: Readonly<Record<string, string>> = {
  'opencode-plugin': 'src/hosts/opencode/plugin-entry.ts',
  'pi-extension': 'src/hosts/pi/extension-entry.ts',
};

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
        const cut = source
          .replace('export const PIPELINE: readonly NamedHook[] = [', 'const WHOLE: readonly NamedHook[] = [')
          .replace(/^\];$/m, `];\nexport const PIPELINE = WHOLE.filter((hook) => hook.name !== '${hook}');`);
        return { contents: cut, loader: 'ts' };
      });
    },
  };
}

/** Turns a dynamic import of a chunk's module into a call of the loader's chunk function. */
const chunked: Plugin = {
  name: 'chunks',
  setup(target) {
    target.onResolve({ filter: /^\.\.?\// }, (asked) => {
      if (asked.kind !== 'dynamic-import') return undefined;
      const wanted = path.resolve(asked.resolveDir, asked.path);
      const name = Object.keys(CHUNKS).find((chunk) => path.join(root, CHUNKS[chunk] ?? '') === wanted);
      return name === undefined ? undefined : { path: name, namespace: 'chunk' };
    });
    target.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path: name }) => ({
      contents: `module.exports = globalThis.PACTCLAW_CHUNK('${name}');`,
      loader: 'js',
    }));
  },
};

/**
 * Node's modules as the hook's own code imports them. Without this each import of each file wraps the whole module anew
 * when the hook starts.
 */
const builtin: Plugin = {
  name: 'builtin',
  setup(target) {
    target.onResolve({ filter: /^node:/ }, ({ path: name, kind, namespace }) =>
      kind === 'import-statement' && namespace !== 'builtin'
        ? { path: name, namespace: 'builtin' }
        : undefined,
    );
    target.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: name }) => {
      const names = Object.entries(Object.getOwnPropertyDescriptors(requireBuiltin(name)))
        .filter(([key, { get }]) => get === undefined && key !== 'default' && /^[a-z]\w*$/i.test(key))
        .map(([key]) => key);
      const named = names.map((key) => `export const ${key} = /* @__PURE__ */ pick(() => whole.${key});`);
      const text = `const whole = require('${name}');\nconst pick = (get) => get();\nexport default whole;\n`;
      return { contents: text + named.join('\n'), loader: 'js' };
    });
  },
};

/** The SQLite binding that the loader found installed, where it is of another major than the one that is bundled. */
const sqlite: Plugin = {
  name: 'sqlite',
  setup(target) {
    target.onResolve({ filter: /^better-sqlite3$/ }, ({ path: name, namespace }) =>
      namespace === 'sqlite' ? undefined : { path: name, namespace: 'sqlite' },
    );
    target.onLoad({ filter: /.*/, namespace: 'sqlite' }, ({ path: name }) => ({
      contents: `module.exports = globalThis.PACTCLAW_SQLITE ?? require('${name}');`,
      loader: 'js',
      resolveDir: root,
    }));
  },
};

const target = path.resolve(option('--out') ?? path.join(root, 'dist'));
// Built aside and moved in at the end: a hook that runs meanwhile finds the old build or the new one, never a part.
const dist = `${target}.${process.pid}`;
const hook = option('--without');
const cut = hook === undefined ? [] : [without(hook)];
const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  version: string;
};
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  define: { PACTCLAW_VERSION: JSON.stringify(version) },
} as const;
/** A bundle of the hook is a function's text as it stands, so that the loader need not make another text of it. */
const forLoader = {
  ...shared,
  format: 'cjs',
  minify: true,
  banner: { js: '(function(require,module,exports,__dirname){' },
  footer: { js: '})' },
} as const;

await build({
  ...forLoader,
  plugins: [...cut, chunked, sqlite, builtin],
  entryPoints: {
    'hook-main': path.join(root, 'src/cli/hook-main.ts'),
    'exec-main': path.join(root, 'src/cli/exec-main.ts'),
  },
  outdir: dist,
});
await build({
  ...forLoader,
  entryPoints: Object.fromEntries(
    Object.entries(CHUNKS).map(([name, file]) => [name, path.join(root, file)]),
  ),
  plugins: [chunked],
  external: ['pino'],
  // A script that is loaded from a cache can require, and cannot import.
  supported: { 'dynamic-import': false },
  outdir: dist,
});
await build({
  ...shared,
  plugins: cut,
  entryPoints: { cli: path.join(root, 'src/cli/main.ts'), api: path.join(root, 'src/cli/api.ts') },
  format: 'esm',
  packages: 'external',
  splitting: true,
  outdir: dist,
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
});
await build({
  ...shared,
  entryPoints: Object.fromEntries(
    Object.entries(PLUGINS).map(([name, file]) => [name, path.join(root, file)]),
  ),
  format: 'esm',
  outdir: dist,
  outExtension: { '.js': '.mjs' },
});
writeTypes(root, path.join(dist, 'types'));
for (const name of ['hook', 'exec'])
  fs.copyFileSync(path.join(root, 'src/cli/hook-loader.cjs'), path.join(dist, `${name}.cjs`));
// With a hook cut out the events that make the caches may well be refused; a cache is only for speed.
if (hook === undefined) warmCaches(dist);
fs.rmSync(target, { recursive: true, force: true });
fs.renameSync(dist, target);
