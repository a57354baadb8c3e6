import { wiringOrThrow } from '../shared/in-process/bridge.ts';
import type { Hooks, PluginInput } from './host.ts';
import { hooksFor } from './plugin.ts';

/** What the host loads: it calls every export of the bundle as a plugin, so that this must stay the only one. */
export default async function pactclaw(host: PluginInput, options: unknown): Promise<Hooks> {
  return hooksFor(host, wiringOrThrow(options));
}
