import { PactError } from '../../core/errors.ts';
import { qwenFootprint } from '../../core/footprints/qwen.ts';
import { NOTES } from '../shared/install/notes.ts';
import { decidingFile, type SettingsFile } from '../shared/install/settings-files.ts';
import type { LayeredTable, Off } from '../shared/layered-table.ts';
import { specificVerdict } from '../shared/verify/answers.ts';
import { HOLES } from './holes.ts';
import { EVENTS, payloadFor, toolFor } from './payloads.ts';
import { versionPart } from './version-part.ts';

/** The first version of the client that was seen to obey (docs/hosts/qwen.md). */
const FLOOR = '0.24.4';

/**
 * What switches hooks off, or null. The execution sandbox of the client does so silently, and a
 * project cannot ask for it (its bundle, 0.24.4).
 */
function switchedOff(settings: readonly SettingsFile[]): Off | null {
  const all = decidingFile(settings, ['disableAllHooks']);
  if (all && all.value !== false) return { file: all.file, key: 'disableAllHooks' };
  const operators = settings.filter(({ level }) => level !== 'project');
  const sandbox = decidingFile(operators, ['tools', 'executionSandbox']);
  return sandbox ? { file: sandbox.file, key: 'tools.executionSandbox' } : null;
}

/** 0.15.10 reads the timeout of a hook in milliseconds: it waits 30 ms, and then runs the call. */
function tooOld(file: string, version: string | null): string {
  if (version === null) return `${file} tells no version; ${FLOOR} is the first that was seen to obey`;
  throw new PactError(
    'CONFLICT',
    `${file} is version ${version}, which runs calls before a hook has answered: nothing would be governed`,
    `Install ${FLOOR} or later.`,
  );
}

/** How PactClaw is registered with Qwen Code, and how that is tried (docs/hosts/qwen.md). */
export const qwenTable: LayeredTable = {
  footprint: qwenFootprint,
  client: 'qwen',
  floor: FLOOR,
  events: [
    { event: 'PreToolUse', matcher: '*', refuses: true },
    { event: 'PostToolUse', matcher: '*', refuses: false },
    { event: 'PostToolUseFailure', matcher: '*', refuses: false },
    { event: 'SessionStart', refuses: false },
    { event: 'UserPromptSubmit', refuses: true },
    { event: 'PreCompact', refuses: false },
    { event: 'Stop', refuses: false },
    { event: 'SessionEnd', refuses: false },
  ],
  perSecond: 1,
  // Always shown: a tool that the agent must search for first is one it may never find. Trusted, or a headless run
  // would wait for a human to allow the handshake.
  server: { trust: true, alwaysLoadTools: true },
  variables: 'QWEN_CODE',
  asksForTrust: false,
  switchedOff,
  tooOld,
  alsoParts: (file, own) => [versionPart(file, own)],
  notes: (scope) => (scope === 'user' ? [NOTES.everyProject] : [NOTES.startInside, NOTES.ownPaths]),
  trials: {
    events: EVENTS,
    env: ({ root }) => ({ QWEN_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root, QWEN_HOME: undefined }),
    payload: payloadFor,
    toolFor,
    verdictOf: specificVerdict,
    holes: HOLES,
  },
};
