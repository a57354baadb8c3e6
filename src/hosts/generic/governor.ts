import { messageOf, PactError } from '../../core/errors.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import { ResidentEngines } from '../../hooks/resident.ts';
import type { Workspace } from '../../hooks/workspace.ts';
import { newUuid } from '../../platform/clock.ts';
import { isRefusal } from './answer.ts';
import { type GenericAnswer, type GenericCall, parseMessage } from './contract.ts';
import type { Governor, GovernorOptions, HandshakeTool, ModelUse, ToolOptions } from './governor-types.ts';
import { handleMessage } from './handle.ts';
import { HANDSHAKE } from './handshake-tool.ts';
import { CONTRACT } from './names.ts';
import { RefusedError } from './refused-error.ts';

/** Waits are bounded: a call that cannot be judged in that time is refused. */
const BOUNDS = { busyMs: 12_000, snapshotMs: 60_000 };

const SEE = 'See docs/typescript-api.md.';

/** One for the process: its sessions share a workspace's open state, as those of a resident engine do. */
let engines: ResidentEngines | null = null;

type Send = (event: string, more?: object) => Promise<GenericAnswer>;

/** A value as JSON keeps it; null for what JSON cannot keep. */
function asJson(value: unknown): JsonValue {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null') as JsonValue;
  } catch {
    return null;
  }
}

/** Arguments as text: what is judged, and what must not have changed when the tool runs. */
function textOf(name: string, args: unknown): string {
  try {
    return JSON.stringify(args ?? {});
  } catch (error) {
    const reason = `the arguments of ${name} cannot be written as JSON (${messageOf(error)}), so the call is refused`;
    throw new RefusedError({ reason, alarm: null, rule: 'fail-safe', verdict: 'deny' }, 'before');
  }
}

function callOf<Args>(
  name: string,
  args: Args,
  text: string,
  options: ToolOptions<Args>,
): Omit<GenericCall, 'args'> & { args: JsonValue } {
  const { kind, mutating, agentId } = options;
  const [targets, command] = [options.targets?.(args), options.command?.(args)];
  const rationale = options.rationale?.(args);
  const json = JSON.parse(text) as JsonValue;
  return {
    id: newUuid(),
    tool: name,
    ...(kind === undefined ? {} : { kind }),
    ...(mutating === undefined ? {} : { mutating }),
    ...(targets === undefined ? {} : { targets: targets.map(({ path, role }) => ({ path, role })) }),
    ...(command === undefined ? {} : { command }),
    ...(rationale === undefined ? {} : { rationale }),
    ...(agentId === undefined ? {} : { agent_id: agentId }),
    args: typeof json === 'object' && json !== null && !Array.isArray(json) ? json : { value: json },
  };
}

/** Asks before a call. Throws a RefusedError unless it is allowed. */
async function allowed(send: Send, call: object): Promise<GenericAnswer> {
  const answer = await send('pre_tool_use', { call });
  if (answer.verdict !== 'allow') throw new RefusedError(answer, 'before');
  return answer;
}

/** Records how a call ended. Throws a RefusedError where the agent must not go on as if all were well. */
async function ended(send: Send, call: object, ok: boolean, result: JsonValue): Promise<void> {
  const answer = await send('post_tool_use', { call, ok, result });
  if (answer.alarm !== null || isRefusal(answer)) throw new RefusedError(answer, 'after');
}

function isStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function governed<Args, More extends unknown[], Result>(
  send: Send,
  name: string,
  run: (args: Args, ...more: More) => Promise<Result> | Result,
  options: ToolOptions<Args>,
): (args: Args, ...more: More) => Promise<Result> {
  return async (args, ...more) => {
    const text = textOf(name, args);
    const call = callOf(name, args, text, options);
    await allowed(send, call);
    let result: Result;
    try {
      if (textOf(name, args) !== text)
        throw new Error(`the arguments of ${name} changed after they were judged`);
      result = await run(args, ...more);
      if (isStream(result)) throw new Error(`${name} answers with a stream, whose end cannot be recorded`);
    } catch (error) {
      await ended(send, call, false, messageOf(error));
      throw error;
    }
    await ended(send, call, true, asJson(result));
    return result;
  };
}

function handshakeTool(send: Send): HandshakeTool {
  return {
    name: HANDSHAKE.name,
    description: HANDSHAKE.description,
    parameters: HANDSHAKE.parameters as unknown as JsonObject,
    async execute(args) {
      const call = callOf(HANDSHAKE_TOOL, args, textOf(HANDSHAKE_TOOL, args), { kind: 'control' });
      const { handshake } = await allowed(send, call);
      await ended(send, call, handshake !== null, handshake);
      if (handshake === null) throw new Error('the handshake was allowed and has no answer');
      return handshake;
    },
  };
}

/**
 * A governor for one session, in the process that runs the agent. `install` is the folder that PactClaw is installed in.
 * Throws a PactError when the workspace cannot be governed.
 */
export function governor(options: GovernorOptions, install: string, told?: Workspace['told']): Governor {
  engines ??= new ResidentEngines(install, { ...BOUNDS, ...(told ? { told } : {}) });
  const { engine, root, rest } = engines.enter(options.workspace);
  const sessionId = options.sessionId ?? newUuid();
  const common = {
    contract: CONTRACT,
    session_id: sessionId,
    cwd: root,
    host: options.host ?? 'api',
  };
  const use = { turns: 0, tokens: 0, model: null as string | null };
  // What is wrong with the options is told at once, not at the first call.
  const probe = parseMessage({ ...common, event: 'stop' });
  if ('problem' in probe) throw new PactError('INVALID_INPUT', probe.problem, SEE);
  const handle = async (event: string, more: object): Promise<GenericAnswer> => {
    const parsed = parseMessage({ ...common, event, ...more });
    if ('problem' in parsed) throw new PactError('INVALID_INPUT', parsed.problem, SEE);
    return handleMessage(parsed.message, engine, 'api');
  };
  let begun: Promise<unknown> | null = null;
  const send: Send = async (event, more = {}) => {
    begun ??= handle('session_start', {});
    await begun;
    // Only these count it; with another it would be lost.
    const counts = event !== 'post_tool_use' && (use.turns > 0 || use.tokens > 0);
    const usage = { ...use };
    if (counts) Object.assign(use, { turns: 0, tokens: 0 });
    return handle(event, { ...more, ...(counts ? { usage } : {}) });
  };
  return {
    sessionId,
    async userPrompt({ byHuman = true } = {}) {
      const answer = await send('user_prompt', { by_human: byHuman });
      if (answer.alarm !== null) throw new RefusedError(answer, 'after');
      return answer.context ?? '';
    },
    tool: (name, run, toolOptions = {}) => governed(send, name, run, toolOptions),
    handshakeTool: handshakeTool(send),
    context: async () => (await engine.standing(sessionId)).context,
    used({ turns = 1, tokens = 0, model }: ModelUse) {
      use.turns += turns;
      use.tokens += tokens;
      use.model = model ?? use.model;
    },
    async stop() {
      await send('stop');
      rest();
    },
  };
}
