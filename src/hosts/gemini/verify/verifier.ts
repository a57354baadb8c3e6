import type { RunResult } from '../../../platform/run.ts';
import { isTrusted } from '../../shared/install/layered-settings.ts';
import { answerOf, otherwise, unanswered } from '../../shared/verify/answers.ts';
import { checkOneFileWiring, registeredInOneFile, serverInOneFile } from '../../shared/verify/one-file.ts';
import type { HostVerifier, Verdict } from '../../shared/verify/verifier.ts';
import { switchedOffBy, VERSION_FLOOR } from '../install/guards.ts';
import { REGISTRATION } from '../install/installer.ts';
import { geminiPlaces } from '../install/places.ts';
import { HOST } from '../tools.ts';
import { HOLES } from './holes.ts';
import { EVENTS, payloadFor, toolFor } from './payloads.ts';

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

/** Gemini CLI (docs/hosts/gemini.md). */
export const geminiVerifier: HostVerifier = {
  host: HOST,
  clients: ['gemini'],
  events: EVENTS,
  registered: (machine) => registeredInOneFile(geminiPlaces(machine)),
  wiring: checkOneFileWiring({
    registration: REGISTRATION,
    places: geminiPlaces,
    perSecond: 1000,
    floor: VERSION_FLOOR,
    switchedOff: switchedOffBy,
    trusted: (places, settings, project) => isTrusted(places, settings, project, true),
  }),
  server: serverInOneFile(geminiPlaces),
  env: ({ root }) => ({
    GEMINI_PROJECT_DIR: root,
    GEMINI_CWD: root,
    CLAUDE_PROJECT_DIR: root,
    GEMINI_CLI_HOME: undefined,
  }),
  payload: payloadFor,
  toolFor,
  verdictOf,
  guarded: true,
  wiringFiles: ['.gemini/settings.json'],
  holes: HOLES,
};
