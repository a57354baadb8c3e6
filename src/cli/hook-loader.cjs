'use strict';
// Starts the bundle that this file's own name tells of (hook, exec) from V8's code cache, which spares most of its compile time at every call. Parts that few
// calls need (parsers, the shell reader) are bundles of their own, loaded when asked for. A cache made by another
// Node is rejected by V8 and costs only the time saved.
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const NATIVE = 'build/Release/better_sqlite3.node';

// The usual places first: asking Node to resolve the package costs a millisecond. Null when it is another major than
// the bundle's own, which brings its builds with it: its native part goes with its own code only.
function findNative() {
  const places = ['../node_modules', '../..', '../../..'].map((place) => path.join(__dirname, place, 'better-sqlite3'));
  const folder =
    places.find((place) => fs.existsSync(place)) ?? path.dirname(require.resolve('better-sqlite3/package.json'));
  return fs.existsSync(path.join(folder, 'prebuilds')) ? null : path.join(folder, NATIVE);
}
const native = findNative();
if (native === null) globalThis.PACTCLAW_SQLITE = require('better-sqlite3');
else globalThis.PACTCLAW_NATIVE_SQLITE = native;

const making = process.argv[2] === '--make-cache';
const scripts = new Map();

function read(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

function load(name) {
  const file = path.join(__dirname, `${name}.js`);
  const cache = path.join(__dirname, `${name}.${process.version}-${process.arch}.cache`);
  // The bundles are ASCII: one byte a character is the form that V8 keeps without converting it.
  const source = fs.readFileSync(file, 'latin1');
  const script = new vm.Script(source, { filename: file, cachedData: making ? undefined : read(cache) });
  scripts.set(cache, script);
  const module_ = { exports: {} };
  script.runInThisContext()(require, module_, module_.exports, __dirname);
  return module_.exports;
}

if (making) {
  // The functions that a real call runs are compiled by running one, and are then part of the cache.
  process.argv.splice(2, 1);
  const exit = process.reallyExit;
  process.reallyExit = (code) => {
    for (const [cache, script] of scripts) {
      fs.writeFileSync(`${cache}.${process.pid}`, script.createCachedData());
      fs.renameSync(`${cache}.${process.pid}`, cache);
    }
    exit.call(process, code);
  };
}

const loaded = new Map();
globalThis.PACTCLAW_CHUNK = (name) => {
  if (!loaded.has(name)) loaded.set(name, load(name));
  return loaded.get(name);
};
load(`${path.basename(__filename, '.cjs')}-main`);
