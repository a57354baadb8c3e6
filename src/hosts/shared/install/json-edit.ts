import type { JsonValue } from '../../../core/json.ts';
import { childOf, type JsonNode, notUsable, readTree } from './json-tree.ts';

/** Path of a value: member names and item numbers. `'-'` as the last step of an array means after its last item. */
export type JsonPath = readonly (string | number)[];

/** A JSON text and the file that it belongs to, for messages. */
export interface JsonText {
  readonly text: string;
  readonly file: string;
}

/** How a text is laid out; `unit` is null when it stands on one line. */
interface Style {
  readonly unit: string | null;
  readonly eol: string;
}

function styleOf(text: string, root: JsonNode): Style {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const first = root.children[0];
  if (!first) return { unit: '  ', eol };
  const gap = text.slice(root.start + 1, first.start);
  return { unit: gap.includes('\n') ? gap.slice(gap.lastIndexOf('\n') + 1) || '  ' : null, eol };
}

/** White space in front of the line that a place stands on. */
function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))?.[0] ?? '';
}

/** Where the white space before a child begins: after the opening bracket or after the comma before it. */
function gapStart(text: string, container: JsonNode, index: number): number {
  const before = container.children[index - 1];
  return before ? text.indexOf(',', before.node.end) + 1 : container.start + 1;
}

const splice = (text: string, start: number, end: number, put: string) =>
  text.slice(0, start) + put + text.slice(end);

function printed(
  key: string | number,
  value: JsonValue,
  unit: string | null,
  indent: string,
  eol: string,
): string {
  const space = unit === null ? '' : ' ';
  const body = JSON.stringify(value, null, unit ?? undefined).replaceAll('\n', eol + indent);
  return key === '-' ? body : `${JSON.stringify(key)}:${space}${body}`;
}

/** Puts a child behind the last one, laid out as its neighbours are. */
function append(
  text: string,
  style: Style,
  container: JsonNode,
  key: string | number,
  value: JsonValue,
): string {
  const { eol } = style;
  const last = container.children.at(-1);
  if (!last) {
    const inside = text.slice(container.start + 1, container.end - 1);
    if (style.unit === null && !inside.includes('\n'))
      return splice(text, container.end - 1, container.end - 1, printed(key, value, null, '', eol));
    const outer = indentAt(text, container.start);
    const indent = outer + (style.unit ?? '  ');
    const body = printed(key, value, style.unit ?? '  ', indent, eol);
    return splice(text, container.end - 1, container.end - 1, `${eol}${indent}${body}${eol}${outer}`);
  }
  const gap = text.slice(gapStart(text, container, container.children.length - 1), last.start);
  if (!gap.includes('\n')) {
    const single = style.unit === null ? '' : ' ';
    const body = printed(key, value, null, '', eol);
    return splice(
      text,
      last.node.end,
      last.node.end,
      `,${container.children.length > 1 ? gap : single}${body}`,
    );
  }
  const indent = gap.slice(gap.lastIndexOf('\n') + 1);
  const body = printed(key, value, style.unit ?? '  ', indent, eol);
  return splice(text, last.node.end, last.node.end, `,${eol}${indent}${body}`);
}

/** The node at a path; null when it is not there. Throws when something on the way is of another kind. */
export function nodeAt(json: JsonText, path: JsonPath): JsonNode | null {
  return nodeIn(readTree(json.text, json.file), json, path);
}

/** Like {@link nodeAt}, in a tree that was read from the text before. */
export function nodeIn(root: JsonNode, { text, file }: JsonText, path: JsonPath): JsonNode | null {
  let node = root;
  for (const [depth, key] of path.entries()) {
    const wanted = typeof key === 'number' || key === '-' ? 'array' : 'object';
    if (node.kind !== wanted)
      throw notUsable(
        file,
        text,
        node.start,
        `${path.slice(0, depth).join('.') || 'the file'} is no ${wanted}`,
      );
    const child = childOf(node, key, text, file);
    if (!child) return null;
    node = child.node;
  }
  return node;
}

/** The value at a path, or undefined. */
export function valueAt(json: JsonText, path: JsonPath): JsonValue | undefined {
  const node = nodeAt(json, path);
  return node ? (JSON.parse(json.text.slice(node.start, node.end)) as JsonValue) : undefined;
}

/** Adds a value at a path where nothing stands yet, with the containers on the way to it. All else keeps its bytes. */
export function addAt(json: JsonText, path: JsonPath, value: JsonValue): JsonText {
  const root = readTree(json.text, json.file);
  let depth = path.length - 1;
  let container = nodeIn(root, json, path.slice(0, depth));
  let whole = value;
  while (!container) {
    const key = path[depth] as string | number;
    whole = key === '-' ? [whole] : { [key]: whole };
    depth -= 1;
    container = nodeIn(root, json, path.slice(0, depth));
  }
  nodeIn(root, json, path.slice(0, depth + 1)); // refuses to add to what is of another kind
  const text = append(json.text, styleOf(json.text, root), container, path[depth] as string | number, whole);
  return { ...json, text };
}

/** Takes out what stands at a path. Undoes {@link addAt} to the byte when the last added goes first. */
export function removeAt(json: JsonText, path: JsonPath): JsonText {
  const { text } = json;
  const container = nodeAt(json, path.slice(0, -1));
  const index = container?.children.findIndex(({ key }) => key === path.at(-1)) ?? -1;
  const child = container?.children[index];
  if (!container || !child) return json;
  const before = container.children[index - 1];
  if (container.children.length === 1) {
    const kept = text.slice(container.start + 1, child.start).replace(/\r?\n[ \t]*$/, '');
    return { ...json, text: splice(text, container.start + 1, container.end - 1, kept) };
  }
  if (before && index === container.children.length - 1)
    return { ...json, text: splice(text, before.node.end, child.node.end, '') };
  const next = gapStart(text, container, index + 1);
  return { ...json, text: splice(text, gapStart(text, container, index), next, '') };
}
