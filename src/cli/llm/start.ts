import micromatch from 'micromatch';
import { ResidentEngines } from '../../hooks/resident.ts';
import { EVENT_BOUNDS, type Workspace } from '../../hooks/workspace.ts';
import { randomHex } from '../../platform/clock.ts';
import { httpClient } from '../../platform/http-client.ts';
import { listenHttp } from '../../platform/http-server.ts';
import { LlmDoor } from '../../proxy/llm/door.ts';
import { usageError } from '../command.ts';
import { installFolder } from '../context.ts';
import { logEvent, logNewsLater } from '../operator-log.ts';
import { clean } from '../output.ts';
import { decoderOf } from './decoder.ts';

/** Of the context, before old results are left out (H-98). */
const DEFAULT_SHARE = 0.8;
/** More than the engine takes for its locks and a snapshot together. */
const DEADLINE_MS = 30_000;

/** The provider's address, taken apart. */
function upstreamOf(text: string): { readonly origin: string; readonly basePath: string } {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw usageError(`--upstream ${text} is no URL, for example https://api.anthropic.com`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw usageError('--upstream must be http or https');
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw usageError('--upstream takes no user, password or query: keys come with each request');
  return { origin: url.origin, basePath: url.pathname.replace(/\/+$/, '') };
}

/** What the door in front of a model is started with. */
export interface LlmDoorOptions {
  readonly upstream: string;
  readonly place: { readonly host: string; readonly port: number };
  readonly workspace: Workspace;
  /** Host whose tools the client has; its calls are decoded as its hooks decode them. */
  readonly host: string;
  readonly allowProviderTools: readonly string[];
  readonly contextTokens: number | null;
  readonly hideTools: boolean;
  readonly requireTools: boolean;
  /** Tells the human; the operator log is told anyway. */
  readonly tell: (line: string) => void;
  /** Globs of paths that go by ungoverned; a governed path stays governed. */
  readonly passPaths: readonly string[];
}

/** A door that listens. */
export interface RunningDoor {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts the door in front of a language model. Throws a PactError where it cannot listen. */
export async function startLlmDoor(options: LlmDoorOptions): Promise<RunningDoor> {
  const { place, workspace, host } = options;
  const { origin, basePath } = upstreamOf(options.upstream);
  const client = httpClient(origin);
  const allowed = new Set(options.allowProviderTools);
  const engines = new ResidentEngines(installFolder(), { ...EVENT_BOUNDS, told: logNewsLater });
  const door = new LlmDoor({
    governor: engines.engineAt(workspace.layout.root),
    decode: decoderOf(host),
    settings: {
      host,
      cwd: workspace.layout.root,
      salt: randomHex(32),
      providerRuns: (type) => allowed.has(type),
      hideTools: options.hideTools,
      requireTools: options.requireTools,
      passes: (path) => micromatch.isMatch(path, [...options.passPaths], { dot: true }),
      contextTokens: options.contextTokens,
      compactAt: DEFAULT_SHARE,
      deadlineMs: DEADLINE_MS,
    },
    basePath,
    notice: (words, session) => {
      logEvent('warn', 'no_tools', { session, words });
      options.tell(`pactclaw: session ${clean(session)}: ${words}`);
    },
    send: (ask, signal, decoded) => client.send(ask, signal, decoded),
  });
  const server = await listenHttp({ ...place, token: null }, door);
  return {
    url: server.url,
    port: server.port,
    close: async () => {
      await Promise.allSettled([server.close(), client.close()]);
      await door.flush();
      await engines.prove();
      engines.close();
    },
  };
}
