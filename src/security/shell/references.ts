import { forEachChild, type SyntaxNode } from 'unbash';

/** Variables that a piece of syntax reads and those that it may set, nested scripts not included. */
export interface References {
  readonly read: Set<string>;
  readonly set: Set<string>;
}

export function referencesOf(nodes: readonly SyntaxNode[]): References {
  const found: References = { read: new Set(['HOME']), set: new Set() };
  for (const node of nodes) collect(node, found);
  return found;
}

function collect(node: SyntaxNode, found: References): void {
  if (node.type === 'Script') {
    // What a substitution prints is computed in the same world, so what it reads counts here too.
    readInside(node, found);
    return;
  }
  if (node.type === 'SimpleExpansion') found.read.add(node.text.slice(1));
  else if (node.type === 'ParameterExpansion') {
    found.read.add(node.parameter);
    const { operation } = node;
    if (operation?.type === 'Default' && operation.operator.endsWith('=')) found.set.add(node.parameter);
  } else if (node.type === 'BraceExpansion') {
    for (const [, name] of node.text.matchAll(/\$\{?(\w+)/g)) found.read.add(name!);
  } else if (isArithmeticChange(node)) {
    for (const name of namesIn(node)) found.set.add(name);
  }
  forEachChild(node, (child) => collect(child, found));
}

function readInside(node: SyntaxNode, found: References): void {
  if (node.type === 'SimpleExpansion') found.read.add(node.text.slice(1));
  if (node.type === 'ParameterExpansion') found.read.add(node.parameter);
  forEachChild(node, (child) => readInside(child, found));
}

function isArithmeticChange(node: SyntaxNode): boolean {
  if (node.type === 'ArithmeticUnary') return node.operator === '++' || node.operator === '--';
  return node.type === 'ArithmeticBinary' && /^([-+*/%&|^]|<<|>>)?=$/.test(node.operator);
}

/** Every name in an arithmetic expression that assigns: cheaper than to tell which of them it sets. */
function namesIn(node: SyntaxNode): readonly string[] {
  const names: string[] = [];
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'ArithmeticWord') names.push(...(child.value.match(/[A-Za-z_]\w*/g) ?? []));
    forEachChild(child, visit);
  };
  visit(node);
  return names;
}
