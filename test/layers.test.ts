import { describe, expect, test } from 'vitest';
import { circlesIn, importGraph } from './support/import-graph.ts';
import { layerFaults } from './support/layer-rules.ts';
import { sourcesUnder } from './support/sources.ts';

describe('the layer rule (docs/design/philosophy.md)', () => {
  test('holds for every source file', () => {
    const sources = sourcesUnder('src');
    expect(sources.length).toBeGreaterThan(80);
    expect(sources.flatMap(({ file, text }) => layerFaults(file, text))).toEqual([]);
  });

  test.each([
    ['src/core/x.ts', "import fs from 'node:fs';", 'imports node:fs'],
    ['src/core/x.ts', "import fs from 'fs';", 'imports fs without node:'],
    ['src/core/x.ts', "import type { Stats } from 'node:fs';", 'imports node:fs'],
    ['src/core/x.ts', "export { readFileSync } from 'node:fs';", 'imports node:fs'],
    ['src/core/x.ts', "const fs = await import('node:fs');", 'imports node:fs'],
    ['src/core/x.ts', "type S = import('node:fs').Stats;", 'imports node:fs'],
    ['src/core/x.ts', "const fs = require('node:fs');", 'uses require'],
    ['src/core/x.ts', 'const m = await import(name);', 'a module whose name is computed'],
    ['src/core/x.ts', "import { createHash } from 'node:crypto';", 'imports node:crypto'],
    ['src/core/digest.ts', "import { randomUUID } from 'node:crypto';", 'imports node:crypto'],
    ['src/core/digest.ts', "import crypto from 'node:crypto';", 'imports node:crypto'],
    ['src/core/x.ts', "import { parse } from 'yaml';", 'core imports yaml'],
    ['src/core/x.ts', "import { nowIso } from '../platform/clock.ts';", 'layer 0 (core) imports layer 1'],
    ['src/core/x.ts', "import type { Db } from '../platform/sqlite.ts';", 'layer 0 (core) imports layer 1'],
    ['src/ledger/x.ts', "import { covers } from '../security/estop.ts';", 'are both layer 2'],
    ['src/ledger/x.ts', "await import('../hooks/engine.ts');", 'layer 2 (ledger) imports layer 3'],
    ['src/hosts/a/x.ts', "import '../../proxy/mcp.ts';", 'are both layer 4'],
    ['src/hooks/x.ts', "import '../cli/main.ts';", 'layer 3 (hooks) imports layer 5'],
    ['src/hooks/x.ts', "import '../other/main.ts';", 'src/other has no layer'],
    ['src/hooks/x.ts', "import Database from 'better-sqlite3';", 'which only platform may'],
    ['src/cli/x.ts', "import { openDatabase } from '../platform/sqlite.ts';", 'imports SQLite'],
    ['src/platform/x.ts', "import { openDatabase } from './sqlite.ts';", 'imports SQLite'],
    ['src/ledger/fsck.ts', "db.prepare('SELECT 1 FROM log');", 'has SQL'],
    ['src/hooks/x.ts', "code.startsWith('SQLITE_BUSY');", 'has SQL'],
    ['src/cli/x.ts', "import { watch } from 'chokidar';", 'which only platform may'],
    ['src/config/x.ts', "import { z } from 'zod';", 'otherwise than'],
    ['src/config/x.ts', "import * as z from 'zod/v3';", 'otherwise than'],
    ['src/hooks/x.ts', 'const at = Date.now();', 'uses Date.now'],
    ['src/hooks/x.ts', 'const clock = Date.now;', 'uses Date.now'],
    ['src/hooks/x.ts', 'const at = new Date();', 'uses new Date()'],
    ['src/hooks/x.ts', 'const n = Math.random();', 'uses Math.random'],
    ['src/hooks/x.ts', 'const n = performance.now();', 'uses performance'],
    ['src/hooks/x.ts', 'const { env } = process;', 'uses process'],
    ['src/hooks/x.ts', "globalThis['process'].exit();", 'uses globalThis'],
    ['src/hooks/x.ts', 'setTimeout(() => {}, 1);', 'uses setTimeout'],
    ['src/hooks/x.ts', "await fetch('https://example.org');", 'uses fetch'],
  ])('finds in %s: %s', (file, source, fault) => {
    expect(layerFaults(file, source).join('\n')).toContain(fault);
  });

  test.each([
    ['src/core/digest.ts', "import { createHash } from 'node:crypto';"],
    ['src/core/x.ts', "import { setup } from 'xstate';"],
    ['src/core/rules/x.ts', "import type { Facts } from '../facts.ts';"],
    ['src/platform/x.ts', "import fs from 'node:fs'; const at = Date.now(); process.exit();"],
    ['src/platform/x.ts', "import Database from 'better-sqlite3';"],
    [
      'src/ledger/sqlite/x.ts',
      "sql.get('SELECT 1 FROM log'); import { Db } from '../../platform/sqlite.ts';",
    ],
    ['src/ledger/x.ts', "import { nowIso } from '../platform/clock.ts';"],
    ['src/config/x.ts', "import * as z from 'zod';"],
    ['src/hosts/a/x.ts', "import type { HookEngine } from '../../hooks/engine.ts';"],
    ['src/hooks/x.ts', 'const said = new Date(text); const { process: it } = row; row.process = row.fetch;'],
  ])('allows in %s: %s', (file, source) => {
    expect(layerFaults(file, source)).toEqual([]);
  });
});

describe('the import graph of src, type-only and dynamic imports included', () => {
  test('has no circle', () => {
    expect(circlesIn(importGraph(sourcesUnder('src')))).toEqual([]);
  });

  test.each([
    ["import './b.ts';", "import type { A } from './a.ts';"],
    ["await import('./b.ts');", "export * from './a.ts';"],
  ])('a circle of %s and %s is found', (a, b) => {
    const sources = [
      { file: 'src/x/a.ts', text: a },
      { file: 'src/x/b.ts', text: b },
    ];
    expect(circlesIn(importGraph(sources))).toEqual([['src/x/a.ts', 'src/x/b.ts']]);
  });
});
