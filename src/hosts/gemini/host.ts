import { geminiFootprint } from '../../core/footprints/gemini.ts';
import type { RunResult } from '../../platform/run.ts';
import { notSeen } from '../shared/install/client.ts';
import { NOTES } from '../shared/install/notes.ts';
import { SERVER } from '../shared/install/server.ts';
import { decidingFile, type SettingsFile, settingAt } from '../shared/install/settings-files.ts';
import type { LayeredTable, Off } from '../shared/layered-table.ts';
import { answerOf, otherwise, unanswered } from '../shared/verify/answers.ts';
import type { Verdict } from '../shared/verify/verifier.ts';
import { HOLES } from './holes.ts';
import { EVENTS, payloadFor, toolFor } from './payloads.ts';

/** The first version of the client that was seen to obey (docs/hosts/gemini.md). */
const FLOOR = '0.61.0';

const REMEDY = `Set hooksConfig.enabled to true and take ${SERVER} out of hooksConfig.disabled in this file`;

/** What switches hooks off, all or ours by name, or null. */
function switchedOff(settings: readonly SettingsFile[]): Off | null {
  const off = (file: string): Off => ({ file, key: 'hooksConfig', remedy: REMEDY });
  const enabled = decidingFile(settings, ['hooksConfig', 'enabled']);
  if (enabled && enabled.value !== true) return off(enabled.file);
  // Lists of several files are joined.
  const listed = settings.find(({ value }) => {
    const disabled = settingAt(value, ['hooksConfig', 'disabled']);
    return Array.isArray(disabled) && disabled.includes(SERVER);
  });
  return listed ? off(listed.file) : null;
}

/** The host's reading of an answer: its own decision, else the text of any exit code but 0 and 1. */
function verdictOf(result: RunResult): Verdict {
  const silent = unanswered(result);
  if (silent) return silent;
  const answer = answerOf(result);
  const reason = answer?.reason;
  if (answer?.decision === 'deny' || answer?.decision === 'block')
    return { verdict: 'denied', text: typeof reason === 'string' ? reason : '' };
  const text = result.stderr.trim();
  if (answer === null && text !== '' && result.code !== 0 && result.code !== 1)
    return { verdict: 'denied', text };
  return otherwise(result, answer);
}

const TRUST =
  'The client loads hooks only in a folder that it trusts, and not those of a project with --skip-trust.';

/** How PactClaw is registered with Gemini CLI, and how that is tried (docs/hosts/gemini.md). */
export const geminiTable: LayeredTable = {
  footprint: geminiFootprint,
  client: 'gemini',
  floor: FLOOR,
  /**
   * PreCompress fires before every call of the model unless it is asked for by hand, and nothing is compressed then; so
   * only that is listened to.
   */
  events: [
    { event: 'BeforeTool', matcher: '*', refuses: true },
    { event: 'AfterTool', matcher: '*', refuses: true },
    { event: 'SessionStart', refuses: false },
    { event: 'BeforeAgent', refuses: true },
    { event: 'PreCompress', matcher: 'manual', refuses: false },
    { event: 'AfterAgent', refuses: false },
    { event: 'SessionEnd', refuses: false },
  ],
  perSecond: 1000,
  // Without it a headless run would wait for a human to allow the handshake.
  server: { trust: true },
  variables: 'GEMINI_CLI',
  asksForTrust: true,
  switchedOff,
  tooOld: notSeen(FLOOR),
  notes: (scope) =>
    scope === 'user' ? [TRUST, NOTES.everyProject] : [TRUST, NOTES.startInside, NOTES.ownPaths],
  trials: {
    events: EVENTS,
    env: ({ root }) => ({
      GEMINI_PROJECT_DIR: root,
      GEMINI_CWD: root,
      CLAUDE_PROJECT_DIR: root,
      GEMINI_CLI_HOME: undefined,
    }),
    payload: payloadFor,
    toolFor,
    verdictOf,
    holes: HOLES,
  },
};
