import path from 'node:path';
import { userLogFile } from '../config/load-policy.ts';
import { PactError } from '../core/errors.ts';
import { createEngine } from '../hooks/engine.ts';
import { HeldStore } from '../hooks/open-store.ts';
import { EVENT_BOUNDS, findWorkspace, workspaceAt } from '../hooks/workspace.ts';
import type { HookReply, HostAdapter, HostEvent } from '../hosts/adapter.ts';
import { answerEvent, failure } from '../hosts/answer-event.ts';
import { ADAPTER_NAMES, loadAdapter } from '../hosts/index.ts';
import type { News } from '../ledger/news.ts';
import { monotonicMs } from '../platform/clock.ts';
import { InputTooLarge, readStdin, writeAll } from '../platform/stdio.ts';

/** Well below the timeout that the installer registers with the host, which would let the call run. */
const DEADLINE_MS = 20_000;
/**
 * The lock may be waited for until so long after the process began: what is left is for deciding and recording (U-13).
 */
const LOCK_DEADLINE_MS = 18_000;
const MAX_INPUT = 64 << 20;
const SLOW = 'Try again; if it lasts, look for a process that holds .orchestration/state.db.';
const USAGE = 'usage: pactclaw hook HOST [--workspace DIR] [--event NAME] [--engine absent|lost] < PAYLOAD';

interface Options {
  readonly workspace: string | null;
  readonly event: string | null;
  /** What the launcher found of the resident engine: none, or one that took the event and did not answer. */
  readonly engine: 'absent' | 'lost' | null;
}

const ENGINE = ['absent', 'lost'] as const;

function parseOptions(args: readonly string[]): Options {
  let workspace: string | null = null;
  let event: string | null = null;
  let engine: Options['engine'] = null;
  for (let at = 0; at < args.length; at += 2) {
    const value = args[at + 1];
    if (value === undefined || value === '')
      throw new PactError('INVALID_INPUT', `${args[at]} wants a value`, USAGE);
    if (args[at] === '--workspace') workspace = value;
    else if (args[at] === '--event') event = value;
    else if (args[at] === '--engine') engine = ENGINE.find((one) => one === value) ?? null;
    else throw new PactError('INVALID_INPUT', `unknown option ${args[at]}`, USAGE);
  }
  return { workspace, event, engine };
}

/** The workspace that an event belongs to: as installed, else the project the host names, else the nearest one. */
function rootOf(options: Options, adapter: HostAdapter, cwd: string): string {
  if (options.workspace !== null) return options.workspace;
  const named = ['PACTCLAW_WORKSPACE', ...adapter.projectVariables].map((name) => process.env[name]);
  const project = named.find((value) => value !== undefined);
  const start = project !== undefined && path.isAbsolute(project) ? project : cwd;
  return findWorkspace(start) ?? start;
}

/**
 * The host that a registration names. An unknown one is refused in the words of Claude Code, which most hosts take for a
 * refusal. No other host's code is loaded.
 */
async function adapterOf(name: string | undefined): Promise<HostAdapter> {
  return loadAdapter(name !== undefined && ADAPTER_NAMES.includes(name) ? name : 'claude-code');
}

async function readMessage(): Promise<Uint8Array> {
  try {
    return await readStdin(MAX_INPUT);
  } catch (error) {
    if (!(error instanceof InputTooLarge)) throw error;
    throw new PactError(
      'INVALID_INPUT',
      `the host's message is too large (${MAX_INPUT} bytes at most)`,
      'Let the agent work in smaller steps.',
    );
  }
}

function tell({ stdout, stderr }: HookReply): void {
  writeAll(2, stderr);
  writeAll(1, stdout);
}

function end({ code }: HookReply): never {
  // Not process.exit: a read of standard input may still hang in the thread pool and would keep the process alive.
  (process as unknown as { reallyExit(code: number): never }).reallyExit(code);
  throw new Error('unreachable');
}

function finish(reply: HookReply): never {
  tell(reply);
  return end(reply);
}

/** Writes the operator log where one is wanted. The host has its answer by now. */
async function logIfWanted(news: readonly News[]): Promise<void> {
  if (news.length === 0 || (!process.env.PACTCLAW_LOG && (await userLogFile()) === null)) return;
  const { logNews, openLog } = await import('./operator-log.ts');
  await openLog();
  logNews(news);
}

/**
 * The hook itself: one event on standard input, the host's answer on standard output in one write. `install` is the
 * folder PactClaw is installed in. Never returns.
 */
export async function runHook(args: readonly string[], install: string): Promise<never> {
  const adapter = await adapterOf(args[0]);
  let event: string | null = null;
  const news: News[] = [];
  const deadline = setTimeout(
    () =>
      finish(failure(adapter, event, new PactError('TIMEOUT', `no decision within ${DEADLINE_MS} ms`, SLOW))),
    DEADLINE_MS,
  );
  try {
    if (args[0] !== adapter.host)
      throw new PactError('INVALID_INPUT', `unknown host ${args[0] ?? '(none)'}`, USAGE);
    const options = parseOptions(args.slice(1));
    event = options.event;
    const engineFor = (input: HostEvent) => {
      event = input.event;
      const workspace = workspaceAt(rootOf(options, adapter, input.cwd), install, {
        ...EVENT_BOUNDS,
        busyMs: Math.max(0, LOCK_DEADLINE_MS - monotonicMs()),
        oneShot: true,
        told: (more) => news.push(...more),
        again: options.engine === 'lost',
        // A session's start may take a second; a call may not.
        readLimit: EVENT_BOUNDS.readLimit * (/^session_?start$/i.test(input.event) ? 16 : 1),
      });
      const held = new HeldStore(workspace);
      return createEngine({ ...workspace, store: () => held.current() });
    };
    const reply = await answerEvent(adapter, event, readMessage, engineFor);
    clearTimeout(deadline);
    tell(reply);
    // The host has its answer. Nothing after this point may send a second one.
    await logIfWanted(news).catch(() => undefined);
    if (options.engine === 'absent' && options.workspace !== null)
      await (await import('./serve/on-demand.ts')).startOnDemand(options.workspace, install);
    return end(reply);
  } catch (error) {
    return finish(failure(adapter, event, error));
  } finally {
    clearTimeout(deadline);
  }
}
