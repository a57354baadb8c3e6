import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** The files that the types of the package's programming interface are made of, from `src/`. */
const FILES = [
  'cli/api.ts',
  'hosts/generic/governor-types.ts',
  'hosts/generic/refused-error.ts',
  'core/json.ts',
  'core/tool-call.ts',
  'core/words.ts',
];

/**
 * Writes the declarations that `import … from 'pactclaw'` is checked against. Each file is translated for itself, which
 * its exports allow by naming all their types; one that does not fails the build.
 */
export function writeTypes(root: string, folder: string): void {
  for (const file of FILES) {
    const source = path.join(root, 'src', file);
    const { outputText, diagnostics } = ts.transpileDeclaration(fs.readFileSync(source, 'utf8'), {
      fileName: source,
      reportDiagnostics: true,
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        isolatedDeclarations: true,
      },
    });
    const fault = diagnostics?.[0];
    if (fault) throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`);
    const target = path.join(folder, file.replace(/\.ts$/, '.d.ts'));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, outputText.replace(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}
