import { forEachChild, type SyntaxNode } from 'unbash';
import { NotUnderstood } from './found.ts';
import { readProcessSubstitution } from './process-substitution.ts';
import { isUnterminated } from './redirects.ts';
import type { State } from './state.ts';
import type { Walker } from './walker.ts';

/**
 * Reads the scripts inside a word, a redirection or a test, each in a subshell. `reader` is the command that has them as
 * its arguments or its input; null when it may leave them unread.
 */
export function readExpansions(
  walker: Walker,
  node: SyntaxNode,
  state: State,
  reader: string | null = null,
): void {
  if (node.type === 'ProcessSubstitution' && node.script !== undefined) {
    readProcessSubstitution(walker, node.operator, node.script, state, reader);
    return;
  }
  if (node.type === 'Script') {
    walker.subscript(node, state);
    return;
  }
  // Bash refuses `$((rm a))`; zsh takes it for a command substitution.
  if (node.type === 'ArithmeticWord' && /\S\s+\S/.test(node.value)) {
    throw new NotUnderstood('arithmetic that may be a command');
  }
  if (node.type === 'HereDoc') {
    if (isUnterminated(node)) throw new NotUnderstood('here-document without its end');
    walker.found.bodies.add(node.body.text);
  }
  if (node.type === 'CommandExpansion' && node.text.startsWith('${')) {
    walker.found.opaque.add('substitution: changes the shell from inside a word');
  }
  if (node.type === 'Transform' && node.operand.value.includes('P')) {
    walker.found.opaque.add('expansion with @P: runs the text of a variable');
  }
  forEachChild(node, (child) => readExpansions(walker, child, state, reader));
}
