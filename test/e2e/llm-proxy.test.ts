/** Real clients with the LLM proxy alone between them and their model, and with their own hooks beside it. */
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type ScriptedModel, type Step, startScriptedModel } from '../../fixtures/model/scripted-model.ts';
import { LlmProxy } from '../process/support/llm.ts';
import { baseEnv } from './support/clients/client.ts';
import { type ClientName, findExecutable } from './support/clients/pins.ts';
import { GovernedProject } from './support/governed.ts';
import { CLIENTS } from './support/run-client.ts';
import { runProcess } from './support/run-process.ts';

let project: GovernedProject;
let model: ScriptedModel;
let proxy: LlmProxy;

afterEach(async () => {
  await proxy?.stop();
  await model?.close();
  project?.remove();
});

/** The handshake, which the model makes before its script begins. */
const SHAKES_HANDS: Step = {
  calls: [{ name: 'select_active_intent', input: { intent_id: 'INT-001', reasoning: 'it fits' } }],
};

async function run(
  host: ClientName,
  main: Step[],
  env: (url: string) => Record<string, string> = () => ({}),
): Promise<{ code: number | null; stdout: string; stderr: string; answer: string }> {
  model = await startScriptedModel({ main });
  proxy = await LlmProxy.start(project, model.url, '--host', host);
  const client = CLIENTS[host];
  const start = { cwd: project.root, home: project.home, url: proxy.url, prompt: 'Do the task.' };
  const file = findExecutable(host);
  if (file === undefined) throw new Error(`${host} is not installed: run "npm run clients"`);
  const ended = await runProcess({
    file,
    args: client.args(start),
    cwd: project.root,
    env: { ...baseEnv(project.home), ...client.env(start), ...env(proxy.url) },
    timeoutMs: 120_000,
  });
  return { ...ended, answer: client.read(ended.stdout).answer ?? '' };
}

const write = (file: string): Step => ({
  calls: [{ role: 'write', path: project.path(file), content: 'export const fresh = true;\n' }],
});

describe.each(['claude-code', 'codex', 'gemini', 'qwen', 'copilot', 'opencode', 'pi'] as const)(
  '%s through the proxy',
  (host) => {
    it('works in its scope, and is told where it ends', async () => {
      project = new GovernedProject({ host });
      expect(project.cli('uninstall', host).code).toBe(0);
      const { answer } = await run(host, [
        SHAKES_HANDS,
        write('src/components/new.ts'),
        write('src/leak.ts'),
      ]);
      expect(project.has('src/components/new.ts')).toBe(true);
      expect(project.has('src/leak.ts')).toBe(false);
      expect(answer).toContain(
        'Governance Violation: src/leak.ts is outside the owned_scope of Intent INT-001',
      );
      expect(project.log('agent_trace.jsonl').map(({ path }) => path)).toEqual(['src/components/new.ts']);
      expect(project.violations().map(({ kind }) => kind)).toEqual(['scope']);
    });

    it('does nothing without a handshake', async () => {
      project = new GovernedProject({ host });
      project.cli('uninstall', host);
      project.edit('status: IN_PROGRESS', 'status: COMPLETED');
      const early = write('src/components/new.ts');
      const { answer } = await run(host, [early, early, early]);
      expect(answer).toContain('State Violation: Reasoning Intercept Required');
      expect(project.has('src/components/new.ts')).toBe(false);
    });
  },
);

/** A client as it talks to models in a cloud: Anthropic's at Vertex AI and Bedrock, Google's at Vertex AI. */
interface Cloud {
  readonly host: ClientName;
  readonly env: (url: string) => Record<string, string>;
  /** The path of its requests. */
  readonly path: RegExp;
  readonly settings?: object;
}

const CLOUDS: Readonly<Record<string, Cloud>> = {
  'Claude Code at Vertex': {
    host: 'claude-code',
    env: (url) => ({
      CLAUDE_CODE_USE_VERTEX: '1',
      CLAUDE_CODE_SKIP_VERTEX_AUTH: '1',
      ANTHROPIC_VERTEX_BASE_URL: `${url}/v1`,
      ANTHROPIC_VERTEX_PROJECT_ID: 'project-1',
      CLOUD_ML_REGION: 'us-east5',
    }),
    path: /^\/v1\/projects\/project-1\/locations\/us-east5\/publishers\/anthropic\/models\/[^:]+:streamRawPredict$/,
  },
  'Claude Code at Bedrock': {
    host: 'claude-code',
    env: (url) => ({
      CLAUDE_CODE_USE_BEDROCK: '1',
      CLAUDE_CODE_SKIP_BEDROCK_AUTH: '1',
      ANTHROPIC_BEDROCK_BASE_URL: url,
      AWS_REGION: 'us-east-1',
    }),
    path: /^\/model\/[^/]+\/invoke(?:-with-response-stream)?$/,
  },
  'Gemini CLI at Vertex': {
    host: 'gemini',
    env: (url) => ({ GOOGLE_API_KEY: 'fake', GOOGLE_VERTEX_BASE_URL: url }),
    path: /^\/v1beta1\/publishers\/google\/models\/[^/:]+:(?:streamGenerateContent|generateContent)$/,
    settings: { security: { auth: { selectedType: 'vertex-ai' }, folderTrust: { enabled: false } } },
  },
};

describe.each(Object.entries(CLOUDS))('%s', (_, { host, env, path, settings }) => {
  const start = () => {
    project = new GovernedProject({ host });
    expect(project.cli('uninstall', host).code).toBe(0);
    if (settings) writeFileSync(`${project.home}/.gemini/settings.json`, JSON.stringify(settings));
  };
  const isThere = () => {
    expect(model.requests).not.toEqual([]);
    for (const request of model.requests) expect(request.path).toMatch(path);
  };

  it('F-5: does nothing before the handshake', async () => {
    start();
    const early = write('src/components/new.ts');
    const { answer } = await run(host, [early, early, early], env);
    isThere();
    expect(answer).toContain('State Violation: Reasoning Intercept Required');
    expect(project.has('src/components/new.ts')).toBe(false);
    expect(new Set(project.violations().map(({ kind }) => kind))).toEqual(new Set(['state']));
  });

  it('F-5: is governed after it', async () => {
    start();
    const { answer } = await run(
      host,
      [SHAKES_HANDS, write('src/components/new.ts'), write('src/leak.ts')],
      env,
    );
    isThere();
    expect(project.has('src/components/new.ts')).toBe(true);
    expect(project.has('src/leak.ts')).toBe(false);
    expect(answer).toContain(
      'Governance Violation: src/leak.ts is outside the owned_scope of Intent INT-001',
    );
    expect(project.log('agent_trace.jsonl').map(({ path }) => path)).toEqual(['src/components/new.ts']);
  });
});

describe.each(['claude-code'] as const)('%s with its hooks and the proxy', (host) => {
  it('has each call decided, counted and recorded once', async () => {
    project = new GovernedProject({ host });
    // A response that either door counted twice would be one too many.
    project.edit(
      '    acceptance_criteria: []\n    x-team',
      '    acceptance_criteria: []\n    budget: {max_turns: 1}\n    x-team',
    );
    const { answer } = await run(host, [SHAKES_HANDS, write('src/components/new.ts'), { text: 'All done.' }]);
    expect(answer).toContain('All done.');
    expect(project.has('src/components/new.ts')).toBe(true);
    const calls = project.log('tool_receipts.log').filter(({ tool }) => tool === 'file_write');
    expect(calls.map(({ phase, status }) => [phase, status])).toEqual([
      ['pre', 'allowed'],
      ['post', 'allowed'],
    ]);
    expect(project.log('agent_trace.jsonl')).toHaveLength(1);
    await proxy.stop();
    expect(project.json<{ usage: { turns: number } }>('intent', 'show', 'INT-001').usage.turns).toBe(2);
  });
});
