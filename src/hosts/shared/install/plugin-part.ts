import { isObject } from '../../../core/json.ts';
import type { PluginWiring } from '../in-process/bridge.ts';
import type { Wiring } from './installer.ts';
import type { Part } from './part.ts';
import { textPart } from './text-part.ts';

const MARK = '// Written by `pactclaw install`, removed by `pactclaw uninstall`; other changes are lost.';

/** Above the hook's own deadline (20 s), so that a refusal comes with the hook's own reason where there is one. */
const TIMEOUT_MS = 25_000;

/** What a plugin inside a host must be told to reach the hook. */
export function pluginWiring({ install, node, workspace }: Wiring): PluginWiring {
  return { launcher: `${install}/bin/pactclaw-hook`, node, workspace, timeoutMs: TIMEOUT_MS };
}

/** True for the text of a plugin file of ours, of this version or another. */
export function isOurPlugin(text: string): boolean {
  return text.startsWith(MARK);
}

/**
 * A file that a host loads as its plugin. It only leads to PactClaw's own, so that an upgrade reaches every project;
 * where that is gone the file cannot be loaded.
 */
export function pluginPart(file: string, bundle: string, wiring: Wiring): Part {
  const content = [
    MARK,
    `import pactclaw from ${JSON.stringify(`${wiring.install}/dist/${bundle}`)};`,
    '',
    `export default (host) => pactclaw(host, ${JSON.stringify(pluginWiring(wiring))});`,
    '',
  ].join('\n');
  return textPart({ file, content, isOurs: isOurPlugin });
}

/** What a plugin file of ours tells the plugin, and the file that it loads it from; null where it is not ours. */
export function wiringIn(text: string): { readonly wiring: PluginWiring; readonly bundle: string } | null {
  if (!isOurPlugin(text)) return null;
  const [, bundle] = /^import pactclaw from (".*");$/m.exec(text) ?? [];
  const [, given] = /^export default .* pactclaw\(host, (\{.*\})\);$/m.exec(text) ?? [];
  if (bundle === undefined || given === undefined) return null;
  try {
    const wiring: unknown = JSON.parse(given);
    if (!isObject(wiring)) return null;
    return { wiring: wiring as unknown as PluginWiring, bundle: JSON.parse(bundle) as string };
  } catch {
    return null;
  }
}
