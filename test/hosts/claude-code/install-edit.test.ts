import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PactError } from '../../../src/core/errors.ts';
import { isObject } from '../../../src/core/json.ts';
import { partsOf } from '../../../src/hosts/claude-code/install/entries.ts';
import { placesOf } from '../../../src/hosts/claude-code/install/places.ts';
import { addAt, removeAt, valueAt } from '../../../src/hosts/shared/install/json-edit.ts';
import { readTree } from '../../../src/hosts/shared/install/json-tree.ts';
import { add } from '../../../src/hosts/shared/install/merge.ts';
import type { FileNote, Part } from '../../../src/hosts/shared/install/part.ts';
import { runs } from '../../support/runs.ts';

const file = '/w/.claude/settings.json';
const wiring = { node: '/usr/bin/node', install: '/opt/pactclaw', workspace: '/w' };
const places = placesOf('/w', '/h', undefined, 'linux');
const hooks = partsOf(places, 'project', wiring)[0]!;
const localServer = partsOf(places, 'local', wiring)[1]!;
const { entries } = hooks;
const json = (text: string) => ({ text, file });

/** Installs one part as the planner does; the note is what undoing it is given. */
function install(part: Part, text: string): { note: FileNote; text: string } {
  const added = part.add(text, null);
  return {
    note: { created: false, madeFolders: 0, kept: added?.kept ?? [] },
    text: added?.text ?? text,
  };
}

describe('strict JSON with places', () => {
  test.each([
    ['', 'it is empty', 1],
    ['{\n  "a": 1\n  "b": 2\n}', '`"` is not expected here', 3],
    ['{\n  // note\n}', 'comment', 2],
    ['{"a":1,\n}', 'a comma has nothing after it', 2],
    ['{"a":', 'it ends too early', 1],
    ['{} x', 'text follows its end', 1],
    ["{'a':1}", 'is not expected', 1],
    ['{"a":01}', 'is not expected', 1],
    [`${'['.repeat(300)}`, 'nested too deeply', 1],
  ])('%j is refused with its line', (text, why, line) => {
    try {
      readTree(text, file);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(PactError);
      expect((error as PactError).message).toContain(why);
      expect((error as PactError).place).toEqual({ file, line });
    }
  });

  test('agrees with JSON.parse on what is JSON and what it holds', () => {
    const nearJson = fc.oneof(
      fc.json(),
      fc
        .tuple(fc.json(), fc.nat(), fc.constantFrom(',', '}', '"', '\\', ' ', '0'))
        .map(([text, at, char]) => {
          const cut = at % (text.length + 1);
          return text.slice(0, cut) + char + text.slice(cut);
        }),
    );
    fc.assert(
      fc.property(nearJson, (text) => {
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => readTree(text, file)).toThrow(PactError);
          return;
        }
        const node = readTree(text, file);
        expect(JSON.parse(text.slice(node.start, node.end))).toEqual(expected);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('edits', () => {
  test.each([
    ['{}', ['a'], '{\n  "a": 1\n}'],
    ['{"b":2}', ['a'], '{"b":2,"a":1}'],
    ['{\n\t"b": 2\n}\n', ['a'], '{\n\t"b": 2,\n\t"a": 1\n}\n'],
    ['{\r\n    "b": {}\r\n}', ['b', 'a'], '{\r\n    "b": {\r\n        "a": 1\r\n    }\r\n}'],
    ['{\n  "b": ["x", "y"]\n}', ['b', '-'], '{\n  "b": ["x", "y", 1]\n}'],
    ['{\n  "b": ["x"]\n}', ['b', '-'], '{\n  "b": ["x", 1]\n}'],
    ['{\n  "b": 2\n}', ['c', 'd', '-'], '{\n  "b": 2,\n  "c": {\n    "d": [\n      1\n    ]\n  }\n}'],
    ['\uFEFF{"b":2}', ['a'], '\uFEFF{"b":2,"a":1}'],
  ] as const)('%j with %j added', (text, path, expected) => {
    const added = addAt(json(text), path, 1);
    expect(added.text).toBe(expected);
  });

  test('only the value is taken out', () => {
    const text = '{\n  "a": 1,\n  "b": [1, 2, 3],\n  "c": 3\n}';
    expect(removeAt(json(text), ['a']).text).toBe('{\n  "b": [1, 2, 3],\n  "c": 3\n}');
    expect(removeAt(json(text), ['b', 1]).text).toBe('{\n  "a": 1,\n  "b": [1, 3],\n  "c": 3\n}');
    expect(removeAt(json(text), ['b', 2]).text).toBe('{\n  "a": 1,\n  "b": [1, 2],\n  "c": 3\n}');
    expect(removeAt(json(text), ['c']).text).toBe('{\n  "a": 1,\n  "b": [1, 2, 3]\n}');
    expect(removeAt(json(text), ['x']).text).toBe(text);
  });

  test.each([
    ['{"hooks": []}', 'hooks is no object'],
    ['{\n "hooks": {"PreToolUse": {}}}', 'hooks.PreToolUse is no array'],
    ['[]', 'the file is no object'],
    ['{"hooks": {}, "hooks": {}}', 'stands twice'],
  ])('%s is refused', (text, why) => {
    expect(() => install(hooks, text)).toThrow(why);
  });
});

const foreign = { hooks: [{ type: 'command', command: 'prettier --write' }], matcher: 'Write' };
const group = fc.oneof(
  fc.constant(foreign),
  fc.record({
    matcher: fc.string(),
    hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string() })),
  }),
);
const event = fc.constantFrom('PreToolUse', 'PostToolUse', 'SessionStart', 'Stop', 'Notification');
const settings = fc.dictionary(
  fc.oneof(fc.constantFrom('permissions', 'env', 'model'), fc.string()),
  fc.jsonValue({ maxDepth: 3 }),
  { maxKeys: 4 },
);
const document = fc
  .record(
    {
      rest: settings,
      hooks: fc.dictionary(event, fc.array(group, { maxLength: 3 })),
      enabledMcpjsonServers: fc.array(fc.constantFrom('other', 'pactclaw', 'x')),
      first: fc.boolean(),
    },
    { requiredKeys: ['rest', 'first'] },
  )
  .map(({ rest, first, ...ours }) => (first ? { ...ours, ...rest, ...ours } : { ...rest, ...ours }));
function isJson(candidate: string): boolean {
  try {
    JSON.parse(candidate);
    return true;
  } catch {
    return false;
  }
}

const layout = fc.constantFrom(undefined, 2, 4, '\t');
const text = fc
  .tuple(document, layout, fc.constantFrom('', '\n', '\r\n'), fc.boolean(), fc.boolean(), fc.boolean())
  .map(([value, indent, end, crlf, bom, loose]) => {
    let out = JSON.stringify(value, null, indent) + end;
    const roomy = out.replaceAll(/\{\}/g, '{ \n }').replaceAll(/\[\]/g, '[ ]');
    if (loose && isJson(roomy)) out = roomy;
    if (crlf) out = out.replaceAll(/\r?\n/g, '\r\n');
    return bom ? `\uFEFF${out}` : out;
  });

describe('install and uninstall', () => {
  test('undo each other to the byte', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(text, (before) => {
        const installed = install(hooks, before);
        expect(hooks.add(installed.text, installed.note)).toBeNull();
        expect(hooks.strip(installed.text, installed.note)).toBe(before);
      }),
      { numRuns: runs(300) },
    );
  });

  test('change nothing for anybody else, and nothing at all the second time', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(text, (before) => {
        const { text, note } = install(hooks, before);
        const installed = json(text);
        expect(hooks.add(text, note)).toBeNull();
        const was = valueAt(json(before), []) as Record<string, unknown>;
        const is = valueAt(installed, []) as Record<string, unknown>;
        for (const key of Object.keys(was))
          if (key === 'env' && isObject(was.env)) expect(is.env).toMatchObject(was.env);
          else if (key !== 'hooks' && key !== 'enabledMcpjsonServers') expect(is[key]).toEqual(was[key]);
        for (const [name, groups] of Object.entries((was.hooks ?? {}) as Record<string, unknown[]>))
          expect((is.hooks as Record<string, unknown[]>)[name]?.slice(0, groups.length)).toEqual(groups);
      }),
      { numRuns: runs(200) },
    );
  });

  test('F-1: background tasks are switched off, but where a human has said so himself', () => {
    const variable = (before: string) => valueAt(json(install(hooks, before).text), ['env']);
    expect(variable('{}')).toEqual({ CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' });
    expect(variable('{"env":{"A":"b"}}')).toEqual({ A: 'b', CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' });
    const own = '{"env":{"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS":"0"}}';
    expect(variable(own)).toEqual({ CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '0' });
    for (const before of [own, own.replace('"0"', '"1"'), '{"env":[]}', '{"env":{}}']) {
      const { text, note } = install(hooks, before);
      expect(hooks.strip(text, note)).toBe(before);
    }
  });

  test('an older installation is replaced, not doubled', () => {
    const hooks = partsOf(places, 'local', wiring)[0]!;
    const old = partsOf(places, 'local', { ...wiring, install: '/opt/older', node: '/old/node' })[0]!.entries;
    const before = '{\n  "model": "opus"\n}\n';
    const outdated = add(json(before), old);
    expect(hooks.add(outdated.text, null)).not.toBeNull();
    const installed = install(hooks, outdated.text);
    expect(hooks.add(installed.text, installed.note)).toBeNull();
    expect(installed.text).not.toContain('/opt/older');
    expect(hooks.strip(installed.text, null)).toBe(before);
  });

  test('a handler of ours that was moved among others goes alone', () => {
    const ours = (entries[0]!.value as { hooks: unknown[] }).hooks[0];
    const mixed = JSON.stringify({
      hooks: { PreToolUse: [{ matcher: '*', hooks: [foreign.hooks[0], ours] }] },
    });
    expect(hooks.strip(mixed, null)).toBe(
      JSON.stringify({ hooks: { PreToolUse: [{ matcher: '*', hooks: [foreign.hooks[0]] }] } }),
    );
  });

  test('servers of others stay', () => {
    const path = ['projects', '/w', 'mcpServers'];
    const before = JSON.stringify({
      oauth: { token: 'x' },
      projects: { '/w': { mcpServers: { a: { command: 'a' } } } },
    });
    const added = install(localServer, before);
    expect(valueAt(json(added.text), [...path, 'pactclaw'])).toMatchObject({
      command: '/usr/bin/node',
      alwaysLoad: true,
    });
    expect(localServer.strip(added.text, added.note)).toBe(before);
  });
});
