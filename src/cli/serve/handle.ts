import { timingSafeEqual } from 'node:crypto';
import type { HookEngine } from '../../hooks/engine.ts';
import { answerEvent } from '../../hosts/answer-event.ts';
import { ADAPTERS } from '../../hosts/registry.ts';
import type { LocalReply, LocalRequest } from '../../platform/local-server.ts';
import type { Address } from './places.ts';

/** What the engine's HTTP door is made of. */
export interface Resident {
  readonly address: () => Address;
  readonly engineAt: (workspace: string) => HookEngine;
  /** True once the installed program is not the one that runs: then others must answer. */
  readonly outdated: () => boolean;
  readonly status: () => object;
  readonly stop: () => void;
  /** An event was answered, in so many milliseconds. */
  readonly answered: (ms: number) => void;
  readonly now: () => number;
}

function text(status: number, body: LocalReply['body']): LocalReply {
  return { status, type: 'text/plain; charset=utf-8', body };
}

function isToken(given: string | undefined, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(`Bearer ${token}`)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Answers one event of a host: first line the exit code, second what goes to standard output, then standard error. */
function hook(request: LocalRequest, host: string, resident: Resident): LocalReply {
  const adapter = Object.hasOwn(ADAPTERS, host) ? ADAPTERS[host] : undefined;
  const workspace = request.query.get('workspace') ?? '';
  if (!adapter || !workspace.startsWith('/')) return text(404, 'unknown host, or no workspace named\n');
  const event = request.query.get('event');
  const read = () => Promise.resolve(request.body);
  const begun = resident.now();
  const answer = answerEvent(adapter, event, read, () => resident.engineAt(workspace));
  return text(
    200,
    answer.then(({ stdout, stderr, code }) => {
      resident.answered(resident.now() - begun);
      // A client that reads by lines must find each part where it looks for it; no answer of a host has several.
      return `${code}\n${stdout.trimEnd().replaceAll('\n', ' ')}\n${stderr}`;
    }),
  );
}

/** Whether a request shows the engine's token. */
export function showsToken(headers: LocalRequest['headers'], { token }: Address): boolean {
  return isToken(headers.authorization, token);
}

/** Every request of the resident engine. Whoever cannot show the token learns nothing. */
export function handleRequest(request: LocalRequest, resident: Resident): LocalReply {
  const address = resident.address();
  if (!request.private && !showsToken(request.headers, address)) return text(401, 'no\n');
  const [, version, what, name] = request.path.split('/');
  const reply = ((): LocalReply => {
    if (version !== 'v1') return text(404, 'unknown path\n');
    if (what === 'status' && request.method === 'GET')
      return { status: 200, type: 'application/json', body: `${JSON.stringify(resident.status())}\n` };
    if (what === 'stop' && request.method === 'POST') {
      resident.stop();
      return text(200, 'stopping\n');
    }
    if (what !== 'hook' || request.method !== 'POST' || name === undefined)
      return text(404, 'unknown path\n');
    if (!resident.outdated()) return hook(request, name, resident);
    resident.stop();
    return text(503, 'another version is installed now\n');
  })();
  return { ...reply, headers: { 'x-pactclaw-proof': address.proof } };
}
