import type { CommandNode, Pipeline } from 'unbash';
import { referencesOf } from './references.ts';
import { type Flow, flowOf, type State } from './state.ts';
import { printedBy } from './stdout.ts';
import type { Text } from './text.ts';
import type { Walker } from './walker.ts';

/** Reads a pipeline: every part in a subshell, with what the one before it prints as its input. */
export function readPipeline(walker: Walker, node: Pipeline, state: State): Flow {
  const isNegated = node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1;
  if (node.commands.length === 1) {
    const flow = walker.read(node.commands[0]!, state);
    return isNegated ? { ok: flow.fail, fail: flow.ok } : flow;
  }
  let input: Text | null | undefined;
  for (const command of node.commands) {
    walker.withStdin(input, () => walker.isolated(() => walker.read(command, state)));
    input = printedByNode(walker, command, state, input);
  }
  return flowOf(state);
}

function printedByNode(
  walker: Walker,
  node: CommandNode,
  state: State,
  input: Text | null | undefined,
): Text | null {
  if (node.type !== 'Command') return null;
  const worlds = walker.worlds(referencesOf([node]).read, state);
  const outputs = worlds.map((world) => walker.withStdin(input, () => printedBy(walker, node, world)));
  return outputs.length === 1 ? outputs[0]! : null;
}
