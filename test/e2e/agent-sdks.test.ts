/** The examples of docs/typescript-api.md, run with the real agent kits. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startScriptedModel } from '../../fixtures/model/scripted-model.ts';
import { drive, installKits, KITS, type Kit, layOut, typeFaults } from './support/agent-sdks.ts';
import { GovernedProject } from './support/governed.ts';

const STATE = 'State Violation: Reasoning Intercept Required';
const DOCS = path.resolve(import.meta.dirname, '../../docs');
const handshake = { intent_id: 'INT-001', reasoning: 'The request is about this.' };
let project: GovernedProject;
let folder: string;

beforeAll(installKits);
beforeEach(() => {
  project = new GovernedProject();
});
afterEach(() => {
  project.remove();
  fs.rmSync(folder, { recursive: true, force: true });
});

const attempts = () =>
  project
    .log('tool_receipts.log')
    .filter(({ phase }) => phase === 'pre')
    .map(({ tool, status, host }) => `${host} ${tool} ${status}`);

it('the AI SDK: refused, handed over, written, refused outside', async () => {
  folder = layOut('ai-sdk');
  const write = (file: string) => ({ tool: 'write_file', input: { path: file, content: 'fresh\n' } });
  const steps = [
    write('src/components/new.ts'),
    { tool: 'select_active_intent', input: handshake },
    write('src/components/new.ts'),
    write('src/leak.ts'),
    { text: 'All done.' },
  ];
  const { answer, prompts } = JSON.parse(
    await drive(folder, [project.root, JSON.stringify(steps)], project.home),
  ) as { answer: string; prompts: unknown[] };
  expect(answer).toBe('All done.');
  const [first, second, third, , last] = prompts.map((prompt) => JSON.stringify(prompt));
  expect(first).toContain('INT-001: Tidy the components');
  expect(second).toContain(STATE);
  expect(third).toContain('Components stay free of network access');
  expect(last).toContain('Governance Violation: src/leak.ts is outside the owned_scope of Intent INT-001');
  expect(project.text('src/components/new.ts')).toBe('fresh\n');
  expect(project.has('src/leak.ts')).toBe(false);
  expect(attempts()).toEqual([
    'my-agent write_file denied',
    'my-agent select_active_intent allowed',
    'my-agent write_file allowed',
    'my-agent write_file denied',
  ]);
  expect(project.log('agent_trace.jsonl')).toMatchObject([
    {
      path: 'src/components/new.ts',
      content_hash: project.sha256('src/components/new.ts'),
      rationale: 'The request is about this.',
      contributor: { type: 'ai', model_id: 'my-model' },
    },
  ]);
});

it('OpenAI Agents: refused, handed over, run, undone outside', async () => {
  folder = layOut('openai-agents');
  const shell = (command: string) => ({ calls: [{ role: 'shell' as const, command }] });
  const model = await startScriptedModel({
    main: [
      shell('ls'),
      { calls: [{ role: 'handshake', intentId: 'INT-001', reasoning: handshake.reasoning }] },
      shell('echo fresh > src/components/new.ts'),
      shell('echo x > src/leak.ts'),
      shell(`python3 -c "open('src/secret.ts','w').write('leaked')"`),
      { text: 'All done.' },
    ],
  });
  try {
    const out = await drive(folder, [project.root, model.url], project.home);
    expect(JSON.parse(out)).toEqual({ answer: 'All done.' });
    const results =
      model
        .main()
        .at(-1)
        ?.results.map(({ text }) => text) ?? [];
    expect(results[0]).toContain(STATE);
    expect(results[1]).toContain('Components stay free of network access');
    expect(results[3]).toContain('src/leak.ts is outside the owned_scope of Intent INT-001');
    expect(results[4]).toContain('this was undone');
    expect(project.text('src/components/new.ts')).toBe('fresh\n');
    expect(project.text('src/secret.ts')).toBe("export const secret = 'untouched';\n");
  } finally {
    await model.close();
  }
});

describe.each(Object.keys(KITS) as Kit[])('%s', (kit) => {
  it('its example keeps every type, and stands in the documents as it runs', () => {
    folder = layOut(kit);
    expect(typeFaults(folder)).toBe('');
    const page = fs.readFileSync(path.join(DOCS, 'typescript-api.md'), 'utf8');
    expect(page).toContain(fs.readFileSync(path.join(DOCS, 'examples', `${kit}.ts`), 'utf8'));
    expect(page).toContain(KITS[kit]);
  });
});
