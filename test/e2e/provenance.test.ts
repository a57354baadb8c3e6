import fs from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bash, GovernedProject, select, write } from './support/governed.ts';

/** Where lines come from, after the real client and people have moved them (H-80…H-84). */
const BLOCK = `export function total(items: readonly number[]): number {
  let sum = 0;
  for (const item of items) sum += item;
  return sum;
}
`;
const RATIONALE = 'Carts need a total.';
const filler = (lines: number) => Array.from({ length: lines }, (_, at) => `// line ${at + 1}\n`).join('');
let project: GovernedProject;

beforeEach(async () => {
  project = new GovernedProject();
  await project.claude([
    select('INT-001', RATIONALE),
    write(project.path('src/components/total.ts'), BLOCK),
    { text: 'Done.' },
  ]);
});
afterEach(() => project.remove());

function expectOrigin(place: string): void {
  const { code, stdout } = project.cli('why', place);
  expect(code).toBe(0);
  expect(stdout).toContain('INT-001');
  expect(stdout).toContain('Tidy the components');
  expect(stdout).toContain(RATIONALE);
  const [record] = project.log('agent_trace.jsonl') as [
    { timestamp: string; contributor: { model_id: string } },
  ];
  expect(stdout).toContain(record.timestamp);
  expect(stdout).toContain(record.contributor.model_id);
}

it('a block that a person moved 50 lines down, and indented, keeps its origin; the lines above have none', () => {
  const moved = BLOCK.replaceAll(/^(?=.)/gm, '  ');
  fs.writeFileSync(project.path('src/components/total.ts'), `${filler(50)}${moved}`);
  expectOrigin('src/components/total.ts:53');
  expect(project.cli('why', 'src/components/total.ts:20').stdout).toContain('unattributed');
});

it('a block that the agent moved to another file for another reason keeps its origin', async () => {
  await project.claude([
    select('INT-001', 'Totals belong together.'),
    write(project.path('src/components/sums.ts'), `${filler(50)}${BLOCK}`),
    { calls: [{ name: 'Read', input: { file_path: project.path('src/components/total.ts') } }] },
    write(project.path('src/components/total.ts'), "export { total } from './sums.js';\n"),
    { text: 'Done.' },
  ]);
  expect(project.text('src/components/total.ts')).not.toContain('sum +=');
  expectOrigin('src/components/sums.ts:53');
  expect(project.cli('why', 'src/components/sums.ts:20').stdout).toContain('Totals belong together.');
});

it('a file that a command moved keeps its lines’ origin', async () => {
  await project.claude([
    select('INT-001', 'A better name.'),
    bash(
      'mkdir -p src/components/cart && git mv -f src/components/total.ts src/components/cart/sum.ts || mv src/components/total.ts src/components/cart/sum.ts',
    ),
    { text: 'Done.' },
  ]);
  expect(project.has('src/components/cart/sum.ts')).toBe(true);
  expectOrigin('src/components/cart/sum.ts:3');
});
