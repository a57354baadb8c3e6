'use strict';
// Starts the hook bundle from V8's code cache, which spares most of its compile time at every call. A cache made by
// another Node is rejected by V8 and costs only the time saved.
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

const main = path.join(__dirname, 'hook-main.js');
const cache = path.join(__dirname, `hook-main.${process.version}-${process.arch}.cache`);
for (const place of ['../node_modules', '../..', '../../..']) {
  const file = path.join(__dirname, place, 'better-sqlite3/build/Release/better_sqlite3.node');
  if (fs.existsSync(file)) {
    globalThis.PACTCLAW_NATIVE_SQLITE = file;
    break;
  }
}

function read(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

const making = process.argv[2] === '--make-cache';
const cachedData = making ? undefined : read(cache);
const script = new vm.Script(`(function(require,module,exports,__dirname){${fs.readFileSync(main, 'utf8')}\n})`, {
  filename: main,
  cachedData,
  importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
const module_ = { exports: {} };
if (making) {
  // The functions that a real call runs are compiled by running one; it is refused, for it names no host.
  const exit = process.reallyExit;
  process.reallyExit = () => {
    process.reallyExit = exit;
    fs.writeFileSync(`${cache}.${process.pid}`, script.createCachedData());
    fs.renameSync(`${cache}.${process.pid}`, cache);
    exit.call(process, 0);
  };
  process.argv.splice(2, 1);
}
script.runInThisContext()(require, module_, module_.exports, __dirname);
