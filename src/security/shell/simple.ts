import type { Assignment, Command, SyntaxNode } from 'unbash';
import { checkVariable } from './environment.ts';
import { NotUnderstood } from './found.ts';
import { MAX_WORDS } from './limits.ts';
import { nameIn } from './named.ts';
import { readerOf } from './process-substitution.ts';
import { readRedirects, stdinOf } from './redirects.ts';
import { referencesOf } from './references.ts';
import { runCommand } from './run.ts';
import { distinct, type Flow, flowOf, joinFlows, type State, setVariable } from './state.ts';
import { EMPTY, type Text, textOf, UNKNOWN } from './text.ts';
import type { Walker } from './walker.ts';
import { fieldsOf, wholeOf } from './words.ts';
import type { World } from './world.ts';

/** Reads one simple command in every world that its variables and folders allow. */
export function readSimple(walker: Walker, node: Command, state: State): Flow {
  const { found } = walker;
  found.step();
  const parts: readonly SyntaxNode[] = [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix];
  const entry = walker.expansions(parts, state, readerOf(node.name?.value, state));
  const names = referencesOf(parts).read;
  const assignments = node.prefix.filter((part) => part.type === 'Assignment');
  for (const assignment of assignments) names.add(assignment.name);
  const worlds = walker.worlds(names, entry);
  if (node.name === undefined) {
    for (const world of worlds) readRedirects(node.redirects, world, found, walker.parseWord);
    return flowOf(assign(walker, assignments, names, entry));
  }
  let flow: Flow = { ok: null, fail: null };
  for (const world of worlds) flow = joinFlows(flow, readInWorld(walker, node, entry, world));
  return flow;
}

function readInWorld(walker: Walker, node: Command, state: State, world: World): Flow {
  const { found } = walker;
  found.step();
  const env = new Map<string, Text>();
  const argv: Text[] = [];
  for (const part of node.prefix) {
    if (part.type !== 'Assignment') continue;
    const value = assigned(part, world);
    checkVariable(part.name, value, walker, state);
    found.mention(value);
    env.set(part.name, value);
  }
  for (const part of [node.name, ...node.suffix]) {
    if (argv.length > MAX_WORDS) throw new NotUnderstood('command has too many words');
    if (part?.type === 'Word') argv.push(...fieldsOf(part, world, walker.parseWord));
    else if (part?.type === 'Assignment') {
      nameElements(walker, part, world);
      argv.push(textOf(part.name, part.append ? '+=' : '=', assigned(part, world, false)));
    }
  }
  readRedirects(node.redirects, world, found, walker.parseWord);
  return walker.withStdin(stdinOf(node.redirects, world), () =>
    runCommand(walker, argv, state, { cwd: world.cwd, env, home: world.home }),
  );
}

/** The state after plain assignments; each sees the ones before it. */
function assign(
  walker: Walker,
  assignments: readonly Assignment[],
  names: ReadonlySet<string>,
  state: State,
): State {
  let next = state;
  for (const assignment of assignments) {
    const values = walker.worlds(names, next).map((world) => {
      nameElements(walker, assignment, world);
      return assigned(assignment, world);
    });
    for (const value of values) {
      checkVariable(assignment.name, value, walker, next);
      walker.found.mention(value);
    }
    next = setVariable(next, assignment.name, distinct(values));
  }
  return next;
}

/** Arrays are not followed, so that what an array holds counts as named where it is put in. */
function nameElements({ found, parseWord }: Walker, { value }: Assignment, world: World): void {
  if (value.type === 'Word') return;
  for (const element of value.elements)
    for (const text of fieldsOf(element, world, parseWord)) nameIn(found.named, text, world.cwd);
}

/** The value that an assignment gives its variable in one world. Arrays are not followed. */
function assigned(assignment: Assignment, world: World, appends = assignment.append): Text {
  const { value } = assignment;
  if (value.type !== 'Word' || assignment.index !== undefined) return UNKNOWN;
  const before = appends ? (world.lookup(assignment.name) ?? UNKNOWN) : EMPTY;
  const whole = textOf(before, wholeOf(value, world));
  return JSON.stringify(whole).length > 4096 ? UNKNOWN : whole;
}
