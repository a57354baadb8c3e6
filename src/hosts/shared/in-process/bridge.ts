import { isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { type RunResult, run } from '../../../platform/run.ts';
import { isRefusal, refusal } from '../../generic/answer.ts';
import type { GenericAnswer } from '../../generic/contract.ts';
import { CONTRACT } from '../../generic/names.ts';

/** What the file that `install` writes hands to the plugin it loads. `workspace` is null in user scope. */
export interface PluginWiring {
  readonly launcher: string;
  readonly node: string;
  readonly workspace: string | null;
  /** Longest wait for the hook; then the call is refused. */
  readonly timeoutMs: number;
}

/** What a host handed over as our options. Throws on anything else: a plugin that cannot ask must not load. */
export function wiringOrThrow(options: unknown): PluginWiring {
  const given = isObject(options) ? options : {};
  const { launcher, node, timeoutMs } = given;
  if (typeof launcher === 'string' && typeof node === 'string' && typeof timeoutMs === 'number')
    return given as unknown as PluginWiring;
  throw new Error('PactClaw is registered without its options. Run `pactclaw install` again.');
}

const MAX_REASON = 4_000;

/** One event on its way to the hook. */
export interface Outgoing {
  readonly hook: string;
  readonly session: string;
  readonly agent: string | null;
  readonly cwd: string;
  readonly input: unknown;
  readonly output?: unknown;
  readonly first?: boolean;
  readonly responses?: readonly unknown[];
}

function unanswered(why: string, heard: string): GenericAnswer {
  const said = heard.trim().slice(0, MAX_REASON);
  return refusal(
    said === ''
      ? `Fail-Safe Default: PactClaw could not judge this call (${why}). Nothing was decided.`
      : said,
  );
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** The hook's answer. What is no answer of ours, and an allow that did not come with exit code 0, is a refusal. */
export function answerOf(ended: RunResult): GenericAnswer {
  const { code, stdout, stderr, timedOut, failure } = ended;
  if (failure !== null) return unanswered(`its hook could not be started: ${failure}`, '');
  if (timedOut) return unanswered('it gave no answer in time', '');
  let raw: unknown;
  try {
    raw = JSON.parse(stdout);
  } catch {
    return unanswered(`its hook ended with code ${code} and no answer`, stderr);
  }
  if (!isObject(raw) || raw.contract !== CONTRACT)
    return unanswered(`its hook ended with code ${code} and no answer of ours`, stderr);
  const { verdict } = raw;
  if ((verdict !== 'allow' && verdict !== 'none') || code !== 0) {
    const reason = textOrNull(raw.reason) ?? unanswered(`its hook ended with code ${code}`, stderr).reason;
    return {
      ...refusal(reason ?? ''),
      verdict: verdict === 'halt' ? 'halt' : 'deny',
      context: textOrNull(raw.context),
    };
  }
  return {
    ...refusal(''),
    verdict,
    reason: null,
    rule: null,
    context: textOrNull(raw.context),
    alarm: textOrNull(raw.alarm),
    handshake: isObject(raw.handshake) ? (raw.handshake as GenericAnswer['handshake']) : null,
  };
}

/** Makes a value unchangeable in depth: what was judged is what runs, whatever another plugin would make of it. */
export function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const one of Object.values(value)) freeze(one);
}

/**
 * Asks the hook about one event by starting it, as a host with hook commands would. Never throws: whatever goes wrong is
 * a refusal, and what a refusal means for the event is the caller's to say.
 */
export async function ask(host: string, wiring: PluginWiring, message: Outgoing): Promise<GenericAnswer> {
  const place = wiring.workspace === null ? [] : ['--workspace', wiring.workspace];
  try {
    const input = JSON.stringify(message);
    return answerOf(
      await run(wiring.launcher, [wiring.node, host, ...place, '--event', message.hook], {
        cwd: message.cwd,
        input,
        timeoutMs: wiring.timeoutMs,
      }),
    );
  } catch (error) {
    return unanswered(error instanceof Error ? error.message : String(error), '');
  }
}

/** The reason of a refusal, or null where the tool may run. */
export function refusedBecause(answer: GenericAnswer): string | null {
  return isRefusal(answer) ? (answer.reason ?? 'Refused.') : null;
}

/** The handshake's answer as the agent reads it. */
export function handshakeText(handshake: JsonObject): string {
  return JSON.stringify(handshake, null, 2);
}
