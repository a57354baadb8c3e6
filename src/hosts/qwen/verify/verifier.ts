import { isTrusted } from '../../shared/install/layered-settings.ts';
import { specificVerdict } from '../../shared/verify/answers.ts';
import { checkOneFileWiring, registeredInOneFile, serverInOneFile } from '../../shared/verify/one-file.ts';
import type { HostVerifier } from '../../shared/verify/verifier.ts';
import { switchedOffBy, VERSION_FLOOR } from '../install/guards.ts';
import { REGISTRATION } from '../install/installer.ts';
import { qwenPlaces } from '../install/places.ts';
import { HOST } from '../tools.ts';
import { HOLES } from './holes.ts';
import { EVENTS, payloadFor, toolFor } from './payloads.ts';

/** Qwen Code (docs/hosts/qwen.md). */
export const qwenVerifier: HostVerifier = {
  host: HOST,
  clients: ['qwen'],
  events: EVENTS,
  registered: (machine) => registeredInOneFile(qwenPlaces(machine)),
  wiring: checkOneFileWiring({
    registration: REGISTRATION,
    places: qwenPlaces,
    perSecond: 1,
    floor: VERSION_FLOOR,
    switchedOff: switchedOffBy,
    trusted: (places, settings, project) => isTrusted(places, settings, project, false),
  }),
  server: serverInOneFile(qwenPlaces),
  env: ({ root }) => ({ QWEN_PROJECT_DIR: root, CLAUDE_PROJECT_DIR: root, QWEN_HOME: undefined }),
  payload: payloadFor,
  toolFor,
  verdictOf: specificVerdict,
  guarded: true,
  wiringFiles: ['.qwen/settings.json'],
  holes: HOLES,
};
