import { builtinModules } from 'node:module';
import path from 'node:path/posix';
import ts from 'typescript';

/** The layer of each folder of `src/`. */
const LAYERS: Readonly<Record<string, number>> = {
  core: 0,
  platform: 1,
  config: 2,
  orchestration: 2,
  ledger: 2,
  security: 2,
  execution: 2,
  models: 2,
  mcp: 2,
  prompt: 2,
  hooks: 3,
  hosts: 4,
  proxy: 4,
  tools: 4,
  runtime: 4,
  gateway: 4,
  eval: 4,
  server: 4,
  cli: 5,
  scripts: 5,
};

/** Folders that may reach outside the process. */
const OUTSIDE = new Set(['platform', 'cli', 'scripts']);
/** Parts of Node that only compute. */
const PURE_MODULES = new Set(['path', 'path/posix', 'util', 'buffer', 'string_decoder', 'url', 'assert']);
/** Packages that reach outside by themselves. */
const OUTSIDE_PACKAGES = new Set(['better-sqlite3', 'chokidar']);
/** Where SQLite may be known: its driver, and the one adapter of the ledger's port (issue 7, item 9). */
const SQLITE_PLACES = ['src/platform/sqlite.ts', 'src/platform/lock.ts', 'src/ledger/sqlite/'];
const SQL =
  /\b(SELECT .+ FROM|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|CREATE (TABLE|INDEX)|DROP TABLE|PRAGMA \w|BEGIN (IMMEDIATE|EXCLUSIVE)|SAVEPOINT \w|SQLITE_[A-Z])/;
const HASHING_FILES = new Set(['src/core/digest.ts', 'src/core/fingerprint.ts']);
const HASHING_NAMES = new Set(['createHash', 'hash']);
const CORE_PACKAGES = new Set(['xstate', 'micromatch', 'diff']);
const OUTSIDE_GLOBALS = new Set([
  'process',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'fetch',
  'crypto',
  'globalThis',
  'global',
  'require',
  'eval',
  'Function',
]);

/** One import of a module, whatever its form. */
interface Import {
  readonly specifier: string | null;
  readonly names: readonly string[];
  readonly namespace: boolean;
  readonly line: number;
}

function importOf(node: ts.Node, file: ts.SourceFile): Import | null {
  const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    if (!node.moduleSpecifier) return null;
    const specifier = (node.moduleSpecifier as ts.StringLiteral).text;
    const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
    const isList = bindings !== undefined && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings));
    const names = isList
      ? bindings.elements.map((element) => (element.propertyName ?? element.name).text)
      : ['*'];
    return { specifier, names, namespace: bindings !== undefined && ts.isNamespaceImport(bindings), line };
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    const specifier = argument && ts.isStringLiteralLike(argument) ? argument.text : null;
    return { specifier, names: ['*'], namespace: true, line };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return { specifier: (node.argument.literal as ts.StringLiteral).text, names: [], namespace: true, line };
  return null;
}

/** A name that stands for a value of the global scope, not a member, a key or a type. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isQualifiedName(parent) || ts.isTypeReferenceNode(parent)) return false;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  return !(
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent) ||
    ts.isLiteralTypeNode(parent)
  );
}

/** What a node takes from outside the process: the clock, chance, the process itself. Null when nothing. */
function outsideUse(node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const name = `${node.expression.text}.${node.name.text}`;
    if (name === 'Date.now' || name === 'Math.random') return name;
  }
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'Date')
    return (node.arguments?.length ?? 0) === 0 ? 'new Date()' : null;
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'Date')
    return 'Date()';
  if (ts.isIdentifier(node) && OUTSIDE_GLOBALS.has(node.text) && isValue(node)) return node.text;
  return null;
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

function wrongFolder(from: string, to: string): string | null {
  if (from === to) return null;
  const [own, other] = [LAYERS[from], LAYERS[to]];
  if (own === undefined) return `src/${from} has no layer`;
  if (other === undefined) return `src/${to} has no layer`;
  if (other > own) return `layer ${own} (${from}) imports layer ${other} (${to})`;
  return other === own ? `${from} and ${to} are both layer ${own}` : null;
}

function wrongModule(file: string, folder: string, found: Import): string | null {
  const { specifier, names } = found;
  if (specifier === null) return OUTSIDE.has(folder) ? null : 'imports a module whose name is computed';
  if (specifier.startsWith('.')) {
    const target = path.normalize(path.join(path.dirname(file), specifier));
    const at = target.split('/');
    if (at[0] !== 'src') return OUTSIDE.has(folder) ? null : `imports ${target}, outside src`;
    return wrongFolder(folder, at.length > 2 ? (at[1] as string) : '');
  }
  if (packageOf(specifier) === 'zod' && !(found.namespace && specifier === 'zod'))
    return 'imports zod otherwise than as `import * as z`';
  if (OUTSIDE_PACKAGES.has(packageOf(specifier)) && folder !== 'platform')
    return `imports ${specifier}, which only platform may`;
  const builtin = specifier.replace(/^node:/, '');
  if (specifier.startsWith('node:') || builtinModules.includes(builtin)) {
    if (!specifier.startsWith('node:')) return `imports ${specifier} without node:`;
    if (OUTSIDE.has(folder) || PURE_MODULES.has(builtin)) return null;
    if (builtin === 'crypto' && HASHING_FILES.has(file) && names.every((name) => HASHING_NAMES.has(name)))
      return null;
    return `imports ${specifier}`;
  }
  return folder === 'core' && !CORE_PACKAGES.has(packageOf(specifier)) ? `core imports ${specifier}` : null;
}

/** What a node knows of SQLite though its file should not; null when nothing. */
function sqliteUse(file: string, node: ts.Node): string | null {
  if (SQLITE_PLACES.some((place) => file.startsWith(place))) return null;
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node)) return null;
  if (/(^|\/)platform\/sqlite\.ts$/.test(node.text) || node.text === './sqlite.ts') return 'imports SQLite';
  return SQL.test(node.text) ? `has SQL: ${SQL.exec(node.text)?.[0]}` : null;
}

/** Every place where a source file breaks the layer rule. `file` is its path from the repository's root. */
export function layerFaults(file: string, source: string): string[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const parts = file.split('/');
  const folder = parts.length > 2 ? (parts[1] as string) : '';
  const faults: string[] = [];
  const visit = (node: ts.Node): void => {
    const found = importOf(node, parsed);
    const wrong = found && wrongModule(file, folder, found);
    if (wrong) faults.push(`${file}:${found.line} ${wrong}`);
    const outside = OUTSIDE.has(folder) ? null : outsideUse(node);
    if (outside !== null) {
      const line = parsed.getLineAndCharacterOfPosition(node.getStart(parsed)).line + 1;
      faults.push(`${file}:${line} uses ${outside}`);
    }
    const sqlite = sqliteUse(file, node);
    if (sqlite !== null)
      faults.push(
        `${file}:${parsed.getLineAndCharacterOfPosition(node.getStart(parsed)).line + 1} ${sqlite}`,
      );
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return faults;
}
