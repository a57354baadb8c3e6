import { PactError } from '../../../core/errors.ts';
import { findClient, isAtLeast } from '../../shared/install/client.ts';
import type { HostInstaller, Scope } from '../../shared/install/installer.ts';
import { assertLayered, layeredWarnings } from '../../shared/install/layered-guards.ts';
import { readSettings, settingsFile } from '../../shared/install/layered-settings.ts';
import { type OneFileHost, partsInOneFile } from '../../shared/install/one-file.ts';
import { HOST } from '../tools.ts';
import { switchedOffBy, VERSION_FLOOR } from './guards.ts';
import { qwenPlaces } from './places.ts';
import { versionPart } from './version-part.ts';

/** Above the hook's own deadline (20 s): at its timeout the host runs the call. */
const TIMEOUT_S = 30;

export const REGISTRATION: OneFileHost = {
  host: HOST,
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
  timeout: TIMEOUT_S,
  // Always shown: a tool that the agent must search for first is one it may never find. Trusted, or a headless run
  // would wait for a human to allow the handshake.
  server: { trust: true, alwaysLoadTools: true },
};

async function clientWarnings(): Promise<string[]> {
  const client = await findClient(['qwen'], undefined);
  if (client === null) return ['no `qwen` is on PATH; its version was not checked'];
  if (client.version === null)
    return [`${client.file} tells no version; ${VERSION_FLOOR} is the first that was seen to obey`];
  if (isAtLeast(client.version, VERSION_FLOOR)) return [];
  // 0.15.10 reads the timeout of a hook in milliseconds: it waits 30 ms, and then runs the call.
  throw new PactError(
    'CONFLICT',
    `${client.file} is version ${client.version}, which runs calls before a hook has answered: nothing would be governed`,
    `Install ${VERSION_FLOOR} or later.`,
  );
}

function notes(scope: Scope): string[] {
  if (scope === 'user')
    return [
      'Every project of yours is governed now. In one without .orchestration every tool call is refused.',
    ];
  return [
    'Start the client in the workspace folder itself: from a subfolder it loads no project hooks.',
    'The file names paths of this machine; where others share the repository, use --user instead.',
  ];
}

/** Registers PactClaw with Qwen Code (docs/hosts/qwen.md). */
export const qwenInstaller: HostInstaller = {
  host: HOST,
  scopes: ['project', 'user'],
  parts: (machine, scope, wiring) => {
    const file = settingsFile(qwenPlaces(machine), scope);
    if (file === null) return [];
    const own = partsInOneFile(file, REGISTRATION, wiring);
    return [...own, versionPart(file, own)];
  },
  assertInstallable: (machine, scope) =>
    assertLayered(readSettings(qwenPlaces(machine)), scope, HOST, switchedOffBy),
  warnings: async (machine) => {
    const places = qwenPlaces(machine);
    return [
      ...layeredWarnings(places, readSettings(places), machine.project, false),
      ...(await clientWarnings()),
    ];
  },
  notes,
};
