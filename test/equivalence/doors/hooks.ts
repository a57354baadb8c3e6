import { answerRequest, type Resident } from '../../../src/cli/serve/handle.ts';
import { ResidentEngines } from '../../../src/hooks/resident.ts';
import { EVENT_BOUNDS } from '../../../src/hooks/workspace.ts';
import type { HookReply } from '../../../src/hosts/adapter.ts';
import { answerEvent } from '../../../src/hosts/answer-event.ts';
import { SESSION } from '../../../src/hosts/shared/verify/sandbox.ts';
import type { HostTool, HostVerifier, TriedCall } from '../../../src/hosts/shared/verify/verifier.ts';
import { ADAPTERS } from '../../hosts/support/all-hosts.ts';
import type { Ask } from '../corpus.ts';
import type { Answer, Door, Ground } from '../ground.ts';
import { messageFor } from './plain.ts';

const deleting = (file: string) => `*** Begin Patch\n*** Delete File: ${file}\n*** End Patch\n`;

/** The tools of hosts that `pactclaw verify` has no trial for. */
const MORE: Readonly<
  Record<string, { readonly fetch?: (url: string) => HostTool; readonly delete?: (file: string) => HostTool }>
> = {
  'claude-code': { fetch: (url) => ({ name: 'WebFetch', args: { url, prompt: 'read it' } }) },
  codex: { delete: (file) => ({ name: 'apply_patch', args: { command: deleting(file) } }) },
  copilot: {
    fetch: (url) => ({ name: 'web_fetch', args: { url } }),
    delete: (file) => ({ name: 'apply_patch', args: { patch: deleting(file) } }),
  },
  gemini: { fetch: (url) => ({ name: 'web_fetch', args: { prompt: `read ${url}` } }) },
  qwen: { fetch: (url) => ({ name: 'web_fetch', args: { url, prompt: 'read it' } }) },
  opencode: {
    fetch: (url) => ({ name: 'webfetch', args: { url, format: 'text' } }),
    delete: (file) => ({ name: 'apply_patch', args: { patchText: deleting(file) } }),
  },
  cline: {
    fetch: (url) => ({ name: 'fetch_web_content', args: { requests: [{ url }] } }),
    delete: (file) => ({ name: 'apply_patch', args: { input: deleting(file) } }),
  },
  cursor: {
    fetch: (url) => ({ name: 'Fetch', args: { url } }),
    delete: (file) => ({ name: 'Delete', args: { file_path: file } }),
  },
  kimi: { fetch: (url) => ({ name: 'FetchURL', args: { url } }) },
  kiro: { fetch: (url) => ({ name: 'web_fetch', args: { url } }) },
  droid: {
    fetch: (url) => ({ name: 'FetchUrl', args: { url } }),
    delete: (file) => ({ name: 'ApplyPatch', args: { input: deleting(file) } }),
  },
};

/** A patch gives each file a line: it cannot name one with a line end in its name. */
function isUnspeakable({ name }: HostTool, ask: Ask): boolean {
  return /^apply_?patch$/i.test(name) && 'file' in ask && ask.file.includes('\n');
}

/** The host's own tool for what is asked, and the call that its payload tells of; null where it has none. */
export function toolOf(verifier: HostVerifier, ask: Ask): TriedCall | null {
  const call = callOf(verifier, ask);
  return call && isUnspeakable(call, ask) ? null : call;
}

function callOf({ host, toolFor }: HostVerifier, ask: Ask): TriedCall | null {
  const id = 'call-1';
  if (ask.does === 'fetch' || ask.does === 'delete') {
    const tool = ask.does === 'fetch' ? MORE[host]?.fetch?.(ask.url) : MORE[host]?.delete?.(ask.file);
    // To the payload it is a tool like any other.
    return tool ? { ...tool, id, trial: { does: 'write', file: '', content: '' } } : null;
  }
  const tool = toolFor(ask);
  return tool && { ...tool, id, trial: ask };
}

/** What a host writes on its hook's standard input for a call of a session, and the event that it is. */
function payloadOf(verifier: HostVerifier, ground: Ground, call: TriedCall, sessionId: string) {
  const payload = verifier.payload(ground, 'beforeTool', call);
  const own = (_key: string, value: unknown) => (value === SESSION ? sessionId : value);
  return {
    event: verifier.eventFor?.('beforeTool', call) ?? verifier.events.beforeTool ?? '',
    bytes: Buffer.from(JSON.stringify(payload, own)),
  };
}

/** How a host understands a reply. */
function toldTo(verifier: HostVerifier, reply: HookReply): 'runs' | 'refused' {
  const { verdict } = verifier.verdictOf({ ...reply, signal: null, timedOut: false, failure: null });
  return verdict === 'runs' ? 'runs' : 'refused';
}

/** The hooks of a host: its payload decoded, judged, and the answer read as the host reads it. */
export function hookDoor(ground: Ground, verifier: HostVerifier): Door {
  const { host } = verifier;
  const engine = ground.engine();
  return {
    name: `hooks of ${host}`,
    async answer(ask, at) {
      const call = toolOf(verifier, ask);
      if (call === null) return null;
      const { event, bytes } = payloadOf(verifier, ground, call, ground.sessionAt(at));
      const reply = await answerEvent(
        ADAPTERS[host]!,
        event,
        async () => bytes,
        () => engine,
      );
      return ground.heard(toldTo(verifier, reply));
    },
  };
}

function genericAnswer(ground: Ground, { stdout }: HookReply): Answer {
  return ground.heard(JSON.parse(stdout).verdict === 'allow' ? 'runs' : 'refused');
}

/** `pactclaw hook generic`. */
export function genericDoor(ground: Ground): Door {
  const engine = ground.engine();
  return {
    name: 'generic hook',
    async answer(ask, at) {
      const bytes = Buffer.from(JSON.stringify(messageFor(ask, ground.sessionAt(at), ground.root)));
      const event = 'pre_tool_use';
      return genericAnswer(
        ground,
        await answerEvent(
          ADAPTERS.generic!,
          event,
          async () => bytes,
          () => engine,
        ),
      );
    },
  };
}

/** The resident engine: what `pactclaw serve` answers to a hook's client. */
export function residentDoor(ground: Ground, verifier: HostVerifier): Door {
  const engines = new ResidentEngines('', EVENT_BOUNDS);
  const resident: Resident = {
    proof: 'proof',
    engineAt: (root) => ground.engine(engines.engineAt(root)),
    outdated: () => false,
    status: () => ({}),
    stop: () => undefined,
    answered: () => undefined,
    now: () => 0,
  };
  return {
    name: `resident engine (${verifier.host})`,
    async answer(ask, at) {
      const call = toolOf(verifier, ask);
      if (call === null) return null;
      const { event, bytes } = payloadOf(verifier, ground, call, ground.sessionAt(at));
      const [, body] = await answerRequest(
        {
          method: 'POST',
          target: `/v1/hook/${verifier.host}?${new URLSearchParams({ workspace: ground.root, event })}`,
          headers: {},
          body: async () => bytes,
          stream: (async function* () {})(),
        },
        resident,
      );
      const [code = '', stdout = '', ...stderr] = body.split('\n');
      const reply = { code: Number(code) as HookReply['code'], stdout, stderr: stderr.join('\n') };
      return ground.heard(toldTo(verifier, reply));
    },
    close: async () => engines.close(),
  };
}
