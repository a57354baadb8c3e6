import type { JsonValue } from '../../core/json.ts';
import type { ToolCall } from '../../core/tool-call.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type {
  EventAnswer,
  EventOrigin,
  PostToolRequest,
  PreToolAnswer,
  TranscriptSource,
} from '../../hooks/requests.ts';
import type { HookReply, HostAdapter, HostEvent, Moment } from '../adapter.ts';
import { stillRunning } from './decode/still-running.ts';
import { jsonReply } from './encode/reply.ts';
import type { Recorded } from './settling.ts';

/** The host's words for what the engine answers. */
export interface Answers {
  /** A call that must not run. `halt`: nothing more of the session may. */
  refuse(text: string, halt: boolean, call: ToolCall | null): HookReply;
  /**
   * Answer to an allowed call. If absent the hook prints nothing, so that the host's own permission rules still apply.
   */
  allow?(call: ToolCall): HookReply;
  /** A prompt that must not reach the model; without it in the words for a call. */
  block?(text: string): HookReply;
  /** What an agent is told at the end of a call. */
  result(event: string, answer: EventAnswer): HookReply;
  /** What an agent is told at the beginning of a session or a request. */
  context(event: string, answer: EventAnswer): HookReply;
  /** Answer to events that carry nothing back to the agent. */
  notice(answer: EventAnswer): HookReply;
}

/** Answers one event. A method's type, so that tables of hosts with other inputs stand in one list. */
export type Handler<I> = { on(input: I, engine: HookEngine): Promise<HookReply> }['on'];

/** How a call ended. */
export type CallEnd = Pick<PostToolRequest, 'ok' | 'result' | 'stillRunning'>;

/** A host that starts a program for each of its events, as far as its hooks go. */
export interface HookHost<I extends HostEvent> {
  readonly host: string;
  /** Variables in which the host names its project folder, the most trusted first. */
  readonly projectVariables?: readonly string[];
  decode(bytes: Uint8Array, registered: string | null): I;
  /** What each event that we register for is to the engine. */
  readonly events: Readonly<Record<string, Moment>>;
  /** The call that an event is about. Throws a PactError on what it cannot decode. */
  callOf(input: I): ToolCall;
  endOf(input: I, call: ToolCall, moment: Moment): CallEnd;
  /** The host's record of the conversation. `call`: the one that is about to run. */
  transcript?(input: I, call: ToolCall | null): TranscriptSource | null;
  /** The model's name, where events tell it. */
  modelOf?(input: I): string | null;
  byHuman(input: I): boolean;
  /** False for an event of a subagent's that begins or ends nothing of the session. */
  isOfSession?(input: I): boolean;
  /** True for an event of a call that another event judges. */
  ignores?(input: I): boolean;
  /** How calls ended by the host's own record; see {@link HostAdapter.endings}. */
  endings?(input: I): Recorded | null;
  readonly answers: Answers;
  /** Events that are handled in another way than others of their moment. */
  readonly special?: Readonly<Record<string, Handler<I>>>;
}

/** Alarm and context in one text; empty when there is neither. */
export function textOf({ alarm, context }: EventAnswer): string {
  return [alarm, context].filter((part) => part !== null).join('\n\n');
}

/** The origin of an event of the host. */
export function originOf<I extends HostEvent>(
  of: HookHost<I>,
  input: I,
  call: ToolCall | null = null,
): EventOrigin {
  const transcript = of.transcript?.(input, call) ?? null;
  const model = of.modelOf?.(input);
  return { sessionId: input.sessionId, host: of.host, transcript, ...(model === undefined ? {} : { model }) };
}

/** The host's words for a verdict. Whatever is not allowed is refused. */
export function replyTo(answers: Answers, call: ToolCall, { decision, text }: PreToolAnswer): HookReply {
  if (decision.verdict === 'allow') return answers.allow?.(call) ?? jsonReply({});
  return answers.refuse(text ?? 'Refused.', decision.verdict === 'halt', call);
}

/** Asks for a call that is about to run. */
export async function askFor<I extends HostEvent>(
  of: HookHost<I>,
  input: I,
  engine: HookEngine,
): Promise<HookReply> {
  const call = of.callOf(input);
  const request = { ...originOf(of, input, call), call };
  return replyTo(of.answers, call, await engine.preToolUse(request));
}

/** Handlers of events by what they are to the engine. */
function handlers<I extends HostEvent>(of: HookHost<I>): Readonly<Record<Moment, Handler<I>>> {
  const { answers } = of;
  const ended =
    (moment: Moment): Handler<I> =>
    async (input, engine) => {
      const call = of.callOf(input);
      const request = { ...originOf(of, input), call, ...of.endOf(input, call, moment) };
      return answers.result(input.event, await engine.postToolUse(request));
    };
  const stop: Handler<I> = async (input, engine) => answers.notice(await engine.stop(originOf(of, input)));
  return {
    beforeTool: (input, engine) => askFor(of, input, engine),
    afterTool: ended('afterTool'),
    afterFailure: ended('afterFailure'),
    sessionStart: async (input, engine) => {
      const origin = originOf(of, input);
      const compacted = input.raw.source === 'compact';
      return answers.context(
        input.event,
        await (compacted ? engine.compacted(origin) : engine.sessionStart(origin)),
      );
    },
    prompt: async (input, engine) =>
      answers.context(input.event, await engine.userPrompt(originOf(of, input), of.byHuman(input))),
    beforeCompact: async (input, engine) => answers.notice(await engine.beforeCompact(originOf(of, input))),
    stop,
    sessionEnd: stop,
  };
}

/** Moments of calls: a subagent's count as the session's. */
const OF_CALLS: ReadonlySet<Moment> = new Set(['beforeTool', 'afterTool', 'afterFailure']);

/** A failure of ours in the words that the host takes for a refusal at this event; null: at any event. */
export function failedBy<I extends HostEvent>(of: HookHost<I>) {
  return (event: string | null, reason: string): HookReply => {
    const { answers } = of;
    const moment = event === null ? 'beforeTool' : of.events[event];
    const answer = { context: null, alarm: reason };
    if (event === null || moment === 'beforeTool') return answers.refuse(reason, false, null);
    if (moment === 'prompt') return answers.block?.(reason) ?? answers.refuse(reason, false, null);
    return moment !== undefined && OF_CALLS.has(moment)
      ? answers.result(event, answer)
      : answers.notice(answer);
  };
}

/** The adapter that a host's table comes to. */
export function adapterOf<I extends HostEvent>(of: HookHost<I>): HostAdapter {
  const usual = handlers(of);
  return {
    host: of.host,
    projectVariables: of.projectVariables ?? [],
    events: Object.keys(of.events),
    decode: (bytes, registered) => of.decode(bytes, registered),
    handle: async (event, engine) => {
      const input = event as I;
      const moment = of.events[input.event];
      if (moment === undefined) return jsonReply({});
      const isOther = OF_CALLS.has(moment) ? of.ignores?.(input) : of.isOfSession?.(input) === false;
      if (isOther) return jsonReply({});
      return (of.special?.[input.event] ?? usual[moment])(input, engine);
    },
    ...(of.endings ? { endings: (event: HostEvent) => of.endings?.(event as I) ?? null } : {}),
    failed: failedBy(of),
  };
}

/** The end of a call as one key of the payload holds it, another where it failed. */
export function endAt<I extends HostEvent>(success: string, failure: string) {
  return ({ raw }: I, _call: ToolCall, moment: Moment): CallEnd => {
    const ok = moment !== 'afterFailure';
    const result: JsonValue = raw[ok ? success : failure] ?? null;
    return { ok, result };
  };
}

/** The same for a host that moves calls to the background: what goes on has not ended (F-1). */
export function goingOn<I extends HostEvent>(end: HookHost<I>['endOf']): HookHost<I>['endOf'] {
  return (input, call, moment) => {
    const ended = end(input, call, moment);
    return { ...ended, ...(ended.ok ? stillRunning(call, ended.result) : {}) };
  };
}
