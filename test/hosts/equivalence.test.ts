import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decoderOf } from '../../src/cli/llm/decoder.ts';
import type { McpToolRule } from '../../src/config/policy.ts';
import type { ToolCall } from '../../src/core/tool-call.ts';
import type { SessionState } from '../../src/core/words.ts';
import { createEngine, type HookEngine } from '../../src/hooks/engine.ts';
import { HeldStore } from '../../src/hooks/open-store.ts';
import { rehearse } from '../../src/hooks/pre-tool-use.ts';
import type { Door } from '../../src/hooks/requests.ts';
import { parseMessage } from '../../src/hosts/generic/contract.ts';
import { toToolCall } from '../../src/hosts/generic/decode.ts';
import { ADAPTERS } from '../../src/hosts/registry.ts';
import { VERIFIERS } from '../../src/hosts/verifiers.ts';
import type { Trial } from '../../src/hosts/verify/verifier.ts';
import { decodeToolCall } from '../../src/proxy/mcp/decode.ts';
import { TestWorkspace } from '../support/workspace.ts';

/**
 * One corpus of calls through every door: the same verdict, by the same rule (architecture §1). Where a door's answer
 * must differ, the reason stands in {@link DIFFERENCES}.
 */
const FILES = [
  'src/components/a.ts',
  'src/components/new.ts',
  'src/components/deep/er/x.ts',
  './src/components//a.ts',
  'src/pages/p.ts',
  'src/secret.ts',
  'src/components/../secret.ts',
  'src/Components/a.ts',
  'src/link/x.ts',
  'README.md',
  '/etc/hosts',
  '.orchestration/active_intents.yaml',
  '.Orchestration/state.db',
  '.git/hooks/pre-commit',
  '.claude/settings.json',
  'src/components/a\u0000.ts',
];
const COMMANDS = [
  'ls src',
  'git status',
  'echo x > src/components/a.ts',
  'echo x > src/secret.ts',
  'cd src && rm secret.ts',
  'rm -rf .orchestration',
  'pactclaw status',
  'pactclaw uninstall claude-code',
  'cat $A > $B',
  'sleep 5 &',
];
const TRIALS: readonly Trial[] = [
  ...FILES.flatMap((file): Trial[] => [
    { does: 'write', file, content: 'x' },
    { does: 'edit', file },
    { does: 'read', file },
    { does: 'undeclared', file },
  ]),
  ...COMMANDS.map((command): Trial => ({ does: 'shell', command })),
];
const STATES: Readonly<Record<string, { state: SessionState; intentId: string | null }>> = {
  'a new session': { state: 'REQUEST', intentId: null },
  'before the handshake': { state: 'REASONING_INTERCEPT', intentId: null },
  'acting for INT-001': { state: 'CONTEXTUALIZED_ACTION', intentId: 'INT-001' },
  'acting for INT-002': { state: 'CONTEXTUALIZED_ACTION', intentId: 'INT-002' },
  'acting for a closed intent': { state: 'CONTEXTUALIZED_ACTION', intentId: 'INT-004' },
  'acting for no intent of the file': { state: 'CONTEXTUALIZED_ACTION', intentId: 'INT-009' },
  halted: { state: 'HALTED', intentId: null },
};

interface Outcome {
  readonly verdict: string;
  readonly rule: string | null;
}

let place: TestWorkspace;
let held: HeldStore;
let engine: HookEngine;
let workspace: TestWorkspace['workspace'];
let count = 0;

beforeAll(() => {
  place = new TestWorkspace(
    [{ id: 'INT-001' }, { id: 'INT-002', scope: ['src/pages/**'] }, { id: 'INT-004', status: 'COMPLETED' }],
    ['src/components/a.ts', 'src/secret.ts', 'src/pages/p.ts', 'README.md'],
  );
  fs.symlinkSync('/tmp', `${place.root}/src/link`);
  held = new HeldStore(place.workspace);
  workspace = { ...place.workspace, store: () => held.current() };
  engine = createEngine(workspace);
});
afterAll(() => {
  held.close();
  place[Symbol.dispose]();
});

/** A session of its own, put where the case wants it. */
function sessionIn(at: { state: SessionState; intentId: string | null }): string {
  count += 1;
  const id = `equal-${count}`;
  held.current().transact((tx) => tx.putSession({ ...tx.session(id), ...at }));
  return id;
}

/** Judges a call as it came out of a door, then undoes what it left, so that no case sees another's. */
async function judged(call: ToolCall, sessionId: string, door: Door): Promise<Outcome> {
  const own = { ...call, sessionId, callId: `${sessionId}-call` };
  const { decision } = await engine.preToolUse({
    sessionId,
    host: 'test',
    transcript: null,
    door,
    call: own,
  });
  held.current().transact((tx) => tx.dropCalls(sessionId));
  return { verdict: decision.verdict, rule: decision.refusedBy };
}

/** Keeps what a host's adapter hands to the engine. */
function catching(): { engine: HookEngine; call: () => ToolCall | null } {
  let caught: ToolCall | null = null;
  const spy = {
    preToolUse: async ({ call }: { call: ToolCall }) => {
      caught = call;
      throw new Error('caught');
    },
    openCalls: async () => [],
  } as unknown as HookEngine;
  return { engine: spy, call: () => caught };
}

/** The call that a host's own payload decodes to; null where the host has no such tool, or refuses to read it. */
async function throughHook(
  host: string,
  trial: Trial,
): Promise<ToolCall | 'no such tool' | 'refused unread'> {
  const verifier = VERIFIERS.find((one) => one.host === host)!;
  const tool = verifier.toolFor(trial);
  if (!tool) return 'no such tool';
  const tried = { ...tool, id: 'call-1', trial };
  const event = verifier.eventFor?.('beforeTool', tried) ?? verifier.events.beforeTool ?? '';
  const payload = verifier.payload({ root: place.root, home: `${place.base}/home` }, 'beforeTool', tried);
  const spy = catching();
  try {
    const input = await ADAPTERS[host]!.decode(Buffer.from(JSON.stringify(payload)), event);
    await ADAPTERS[host]!.handle(input, spy.engine);
  } catch {
    // What stopped it is told by whether a call came out.
  }
  return spy.call() ?? 'refused unread';
}

/** The call as an integrator describes it by the generic contract: the plainest form there is. */
function plain(trial: Trial, sessionId: string): ToolCall {
  const call =
    trial.does === 'shell'
      ? { tool: 'shell', kind: 'execute', command: trial.command, args: { command: trial.command } }
      : trial.does === 'undeclared'
        ? { tool: 'odd_tool', args: { file_path: trial.file } }
        : trial.does === 'handshake'
          ? { tool: 'select_active_intent', args: { intent_id: trial.intentId } }
          : {
              tool: trial.does,
              kind: trial.does === 'read' ? 'read' : 'write',
              targets: [{ path: trial.file, role: trial.does === 'read' ? 'read' : 'write' }],
              args: { path: trial.file },
            };
  const message = {
    contract: 'pactclaw.hook/1',
    event: 'pre_tool_use',
    session_id: sessionId,
    cwd: place.root,
    call,
  };
  const parsed = parseMessage(message);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return toToolCall(parsed.message)!;
}

/** Doors whose answer to some trial is another one, and why that is right. */
const DIFFERENCES: Readonly<
  Record<string, { readonly applies: (trial: Trial) => boolean; readonly why: string }>
> = {
  gemini: {
    applies: (trial) => trial.does === 'edit' && !fs.existsSync(`${place.root}/${trial.file}`),
    why: 'the client looks elsewhere for a relative path that is not there, so that the edit is refused unread',
  },
};

/** A trial as the tool of a server, declared by a human in config.yaml as far as a kind says what it does. */
function throughServer(trial: Trial, sessionId: string): ToolCall {
  const rules: Readonly<Record<string, McpToolRule>> = {
    read: { kind: 'read', paths: ['path'] },
    write: { kind: 'write', paths: ['path'] },
    edit: { kind: 'write', paths: ['path'] },
    shell: { kind: 'execute', command: 'command' },
  };
  const args =
    trial.does === 'shell' ? { command: trial.command } : 'file' in trial ? { path: trial.file } : {};
  const at = { sessionId, callId: 'x', cwd: place.root };
  return decodeToolCall(at, 'files', trial.does, trial.does, args, rules[trial.does]);
}

const wanted = new Map<string, Outcome>();
const nameOf = (trial: Trial, state: string) => `${JSON.stringify(trial)} ${state}`;

describe('the corpus', () => {
  test('has at least 500 calls, and both answers to most kinds of them', async () => {
    expect(TRIALS.length * Object.keys(STATES).length).toBeGreaterThanOrEqual(500);
    for (const [name, at] of Object.entries(STATES))
      for (const trial of TRIALS) {
        const sessionId = sessionIn(at);
        const request = { sessionId, host: 'check', transcript: null, call: plain(trial, sessionId) };
        const { decision } = await rehearse(workspace, request, null);
        wanted.set(nameOf(trial, name), { verdict: decision.verdict, rule: decision.refusedBy });
      }
    const rules = new Set([...wanted.values()].map(({ rule }) => rule));
    expect([...rules].sort()).toEqual(
      expect.arrayContaining(['intent-status', 'scope', 'self-protection', 'state', null]),
    );
  }, 120_000);

  test.each(['generic hook', 'TypeScript API'])(
    '%s',
    async (door) => {
      const different: unknown[] = [];
      for (const [name, at] of Object.entries(STATES))
        for (const trial of TRIALS) {
          const sessionId = sessionIn(at);
          const got = await judged(
            plain(trial, sessionId),
            sessionId,
            door === 'TypeScript API' ? 'api' : 'hook',
          );
          if (JSON.stringify(got) !== JSON.stringify(wanted.get(nameOf(trial, name))))
            different.push({ trial, name, got, wanted: wanted.get(nameOf(trial, name)) });
        }
      expect(different).toEqual([]);
    },
    240_000,
  );

  test.each(VERIFIERS.map(({ host }) => host))(
    'hook of %s',
    async (host) => {
      const different: unknown[] = [];
      let tried = 0;
      for (const trial of TRIALS) {
        const call = await throughHook(host, trial);
        if (call === 'no such tool') continue;
        for (const [name, at] of Object.entries(STATES)) {
          tried += 1;
          const got =
            call === 'refused unread'
              ? { verdict: 'deny', rule: 'unread' }
              : await judged(call, sessionIn(at), 'hook');
          const want = wanted.get(nameOf(trial, name))!;
          const same =
            got.rule === 'unread' ? want.verdict !== 'allow' : JSON.stringify(got) === JSON.stringify(want);
          if (!same && !DIFFERENCES[host]?.applies(trial)) different.push({ trial, name, got, want });
        }
      }
      expect(tried).toBeGreaterThan(100);
      expect(different.slice(0, 8)).toEqual([]);
    },
    240_000,
  );

  test('proxy of a tool server', async () => {
    const different: unknown[] = [];
    for (const trial of TRIALS)
      for (const [name, at] of Object.entries(STATES)) {
        const sessionId = sessionIn(at);
        const got = await judged(throughServer(trial, sessionId), sessionId, 'mcp');
        const want = wanted.get(nameOf(trial, name));
        if (JSON.stringify(got) !== JSON.stringify(want)) different.push({ trial, name, got, want });
      }
    expect(different.slice(0, 8)).toEqual([]);
  }, 240_000);

  test.each(['claude-code', 'qwen', 'codex', 'copilot'])(
    'model proxy in front of %s',
    async (host) => {
      const verifier = VERIFIERS.find((one) => one.host === host)!;
      const different: unknown[] = [];
      let tried = 0;
      for (const trial of TRIALS) {
        // Codex names its shell otherwise to the model than to its hooks.
        const tool =
          host === 'codex' && trial.does === 'shell'
            ? { name: 'exec_command', args: { cmd: trial.command } }
            : verifier.toolFor(trial);
        if (!tool) continue;
        for (const [name, at] of Object.entries(STATES)) {
          const sessionId = sessionIn(at);
          let got: Outcome | null = null;
          try {
            const call = decoderOf(host)({ ...tool, id: 'x', sessionId, cwd: place.root });
            got = await judged(call, sessionId, 'llm');
          } catch {
            // What cannot be read is refused.
          }
          tried += 1;
          const want = wanted.get(nameOf(trial, name))!;
          const same = got === null ? want.verdict !== 'allow' : JSON.stringify(got) === JSON.stringify(want);
          if (!same) different.push({ trial, name, got, want });
        }
      }
      expect(tried).toBeGreaterThan(100);
      expect(different.slice(0, 8)).toEqual([]);
    },
    240_000,
  );
});
