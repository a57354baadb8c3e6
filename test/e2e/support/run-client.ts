/**
 * Runs a real agent client, headless, against a scripted model: the only way to know that a hook which answers "deny"
 * is believed by the host. The client gets an environment of its own and a scratch HOME.
 */
import {
  type ModelScript,
  type RecordedRequest,
  type Script,
  startScriptedModel,
} from '../../../fixtures/model/scripted-model.ts';
import { claudeCode } from './clients/claude-code.ts';
import { baseEnv, type Client, prepareHome, type Said } from './clients/client.ts';
import { cline } from './clients/cline.ts';
import { codex } from './clients/codex.ts';
import { copilot } from './clients/copilot.ts';
import { gemini } from './clients/gemini.ts';
import { kimi } from './clients/kimi.ts';
import { opencode } from './clients/opencode.ts';
import { pi } from './clients/pi.ts';
import { type ClientName, executableVariable, findExecutable } from './clients/pins.ts';
import { qwen } from './clients/qwen.ts';
import { type Ended, runProcess } from './run-process.ts';

export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  qwen,
  copilot,
  opencode,
  cline,
  kimi,
  pi,
};

/** How to start one headless run. `model`: what the scripted model says; a bare script is the main turn's. */
export interface ClientRun {
  cwd: string;
  home: string;
  model: Script | ModelScript;
  prompt: string;
  /** Session to go on with. */
  resume?: string;
  /** Beside or instead of what the client is given anyway. */
  env?: Record<string, string>;
  args?: string[];
  /** Words before the client's own: a program that starts it. */
  wrapper?: readonly string[];
  timeoutMs?: number;
}

/** What came of it. `results`: what the model saw of each of its calls, oldest first; `shown`: all that it saw. */
export interface ClientResult extends Ended, Said {
  requests: RecordedRequest[];
  results: string[];
  shown: string;
}

/** Runs the client once and waits for it to end; ends it when `timeoutMs` (two minutes) is over. */
export async function runClient(name: ClientName, run: ClientRun): Promise<ClientResult> {
  const file = findExecutable(name);
  if (file === undefined)
    throw new Error(`${name} is not installed: run "npm run clients", or set ${executableVariable(name)}`);
  const client = CLIENTS[name];
  const script =
    Array.isArray(run.model) || typeof run.model === 'function' ? { main: run.model } : run.model;
  const model = await startScriptedModel(script);
  try {
    prepareHome(client, run.home, run.cwd);
    const start = { ...run, url: model.url };
    const words = [...(run.wrapper ?? []), file, ...client.args(start), ...(run.args ?? [])];
    const ended = await runProcess({
      file: words[0] ?? file,
      args: words.slice(1),
      cwd: run.cwd,
      env: { ...baseEnv(run.home), ...client.env(start), ...run.env },
      timeoutMs: run.timeoutMs ?? 120_000,
    });
    const last = model.main().at(-1);
    return {
      ...ended,
      ...client.read(ended.stdout),
      requests: model.requests,
      results: last ? (client.told?.(last.body) ?? last.results.map(({ text }) => text)) : [],
      shown: last?.shown ?? '',
    };
  } finally {
    await model.close();
  }
}
