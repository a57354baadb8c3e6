import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderCliDocs } from '../../src/cli/docs.ts';
import { buildProgram } from '../../src/cli/program.ts';

let program: Command;
beforeAll(async () => {
  program = await buildProgram();
});

function leaves(command: Command, path: readonly string[] = []): { path: string; command: Command }[] {
  const members = command.commands.filter((one) => one.name() !== 'help');
  if (members.length === 0) return [{ path: path.join(' '), command }];
  return members.flatMap((one) => leaves(one, [...path, one.name()]));
}

/** Commands that report nothing a program would read. */
const NO_JSON = new Set(['completion', 'demo', 'hook', 'mcp serve', 'mcp proxy', 'wrap']);

describe('every command', () => {
  test('says what it does and takes --json when it reports', () => {
    const all = leaves(program);
    expect(all.length).toBeGreaterThan(25);
    for (const { path, command } of all) {
      expect(command.description(), path).not.toBe('');
      const flags = command.options.map(({ long }) => long);
      if (!NO_JSON.has(path)) expect(flags, path).toContain('--json');
    }
  });

  test('loaded alone is the same as loaded with all', async () => {
    for (const command of program.commands) {
      const alone = await buildProgram(command.name());
      const found = alone.commands.find((one) => one.name() === command.name());
      expect(found?.helpInformation()).toBe(command.helpInformation());
    }
  });
});

test('docs/cli.md is up to date: npm run docs:cli', () => {
  const file = new URL('../../docs/cli.md', import.meta.url);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(renderCliDocs(program));
});
