import { findClient, isAtLeast } from '../../shared/install/client.ts';
import type { HostInstaller, Scope } from '../../shared/install/installer.ts';
import { assertLayered, layeredWarnings } from '../../shared/install/layered-guards.ts';
import { readSettings, settingsFile } from '../../shared/install/layered-settings.ts';
import { type OneFileHost, partsInOneFile } from '../../shared/install/one-file.ts';
import { HOST } from '../tools.ts';
import { switchedOffBy, VERSION_FLOOR } from './guards.ts';
import { geminiPlaces } from './places.ts';

/** Above the hook's own deadline (20 s): at its timeout the host runs the call. In milliseconds, as it wants them. */
const TIMEOUT_MS = 30_000;

/**
 * What is registered. PreCompress fires before every call of the model unless it is asked for by hand, and nothing is
 * compressed then; so only that is listened to.
 */
export const REGISTRATION: OneFileHost = {
  host: HOST,
  events: [
    { event: 'BeforeTool', matcher: '*', refuses: true },
    { event: 'AfterTool', matcher: '*', refuses: true },
    { event: 'SessionStart', refuses: false },
    { event: 'BeforeAgent', refuses: true },
    { event: 'PreCompress', matcher: 'manual', refuses: false },
    { event: 'AfterAgent', refuses: false },
    { event: 'SessionEnd', refuses: false },
  ],
  timeout: TIMEOUT_MS,
  // Without it a headless run would wait for a human to allow the handshake.
  server: { trust: true },
};

async function clientWarnings(): Promise<string[]> {
  const client = await findClient(['gemini'], undefined);
  if (client === null) return ['no `gemini` is on PATH; its version was not checked'];
  if (client.version !== null && isAtLeast(client.version, VERSION_FLOOR)) return [];
  return [
    `${client.file} is version ${client.version ?? 'unknown'}; only ${VERSION_FLOOR} and later were seen to obey`,
  ];
}

function notes(scope: Scope): string[] {
  const trust =
    'The client loads hooks only in a folder that it trusts, and not those of a project with --skip-trust.';
  if (scope === 'user')
    return [
      trust,
      'Every project of yours is governed now. In one without .orchestration every tool call is refused.',
    ];
  return [
    trust,
    'Start the client in the workspace folder itself: from a subfolder it loads no project hooks.',
    'The file names paths of this machine; where others share the repository, use --user instead.',
  ];
}

/** Registers PactClaw with Gemini CLI (docs/hosts/gemini.md). */
export const geminiInstaller: HostInstaller = {
  host: HOST,
  scopes: ['project', 'user'],
  parts: (machine, scope, wiring) => {
    const file = settingsFile(geminiPlaces(machine), scope);
    return file === null ? [] : partsInOneFile(file, REGISTRATION, wiring);
  },
  assertInstallable: (machine, scope) =>
    assertLayered(readSettings(geminiPlaces(machine)), scope, HOST, switchedOffBy),
  warnings: async (machine) => {
    const places = geminiPlaces(machine);
    return [
      ...layeredWarnings(places, readSettings(places), machine.project, true),
      ...(await clientWarnings()),
    ];
  },
  notes,
};
