import { wiringOrThrow } from '../shared/in-process/bridge.ts';
import { register } from './extension.ts';
import type { ExtensionApi } from './host.ts';

/** What the file that `install` writes calls with the host's interface. */
export default function pactclaw(pi: ExtensionApi, options: unknown): void {
  register(pi, wiringOrThrow(options));
}
