import { isObject } from '../../core/json.ts';
import type { HostAdapter, Moment } from '../adapter.ts';
import { isByHuman } from '../shared/decode/prompt.ts';
import { adapterOf } from '../shared/hook-host.ts';
import { type CopilotInput, decodeCall, decodeInput, HOST } from './decode.ts';
import { ANSWERS } from './encode.ts';
import { transcriptOf } from './transcript.ts';

/** Events of the camelCase dialect by what they are. */
const MOMENTS = {
  preToolUse: 'beforeTool',
  postToolUse: 'afterTool',
  postToolUseFailure: 'afterFailure',
  sessionStart: 'sessionStart',
  userPromptSubmitted: 'prompt',
  preCompact: 'beforeCompact',
  agentStop: 'stop',
  sessionEnd: 'sessionEnd',
} as const satisfies Readonly<Record<string, Moment>>;

/** Events that the installer registers. */
export const EVENTS = Object.keys(MOMENTS);

/** GitHub Copilot CLI, in the camelCase dialect of its hooks (docs/hosts/copilot.md). */
export const copilot: HostAdapter = adapterOf<CopilotInput>({
  host: HOST,
  projectVariables: ['COPILOT_PROJECT_DIR'],
  decode: decodeInput,
  events: MOMENTS,
  callOf: decodeCall,
  endOf: ({ raw: { toolResult, error } }, _call, moment) => {
    const failed = moment === 'afterFailure';
    const ok = !failed && !(isObject(toolResult) && toolResult.resultType === 'failure');
    return { ok, result: (failed ? error : toolResult) ?? null };
  },
  transcript: ({ sessionId }) => transcriptOf(sessionId),
  byHuman: ({ raw }) => isByHuman(raw.prompt),
  // A subagent has such events too: they begin and end nothing of the session.
  isOfSession: ({ agentId }) => agentId === null,
  answers: ANSWERS,
});
