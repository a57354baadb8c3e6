import type { Policy } from '../../config/policy.ts';
import { DEFAULT_POLICY } from '../../config/policy.ts';
import type { Facts, FailSafe, HandshakeFacts, Limits, Usage } from '../../core/facts.ts';
import { type Intent, isSelectable } from '../../core/intent.ts';
import type { JsonValue } from '../../core/json.ts';
import { covers } from '../../core/scope.ts';
import { isMutatingRole, type ToolCall } from '../../core/tool-call.ts';
import { asDecoded } from '../../core/unnamed.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';
import { repeatsWith } from '../../ledger/ingest.ts';
import type { Reading, SessionRow } from '../../ledger/port.ts';
import { countScopeFiles } from '../../orchestration/scope-count.ts';
import { readEstop } from '../../security/estop.ts';
import { forbiddenAmong, forbiddenPlaces } from '../../security/forbidden.ts';
import { type FoundTarget, resolveTarget } from '../../security/resolve-target.ts';
import { ownerOf } from '../command/changed-path.ts';
import type { PreToolRequest } from '../requests.ts';
import type { SeenUsage } from '../session/usage.ts';
import type { Workspace } from '../workspace.ts';
import type { CommandFacts } from './command-facts.ts';
import { hasBegun } from './replay.ts';

/** What the facts are gathered from. */
export interface Sources {
  readonly workspace: Workspace;
  readonly request: PreToolRequest;
  readonly tables: Reading;
  readonly session: SessionRow;
  /** As they count now; empty in fail-safe. */
  readonly intents: readonly Intent[];
  readonly policy: Policy;
  readonly failSafe: FailSafe | null;
  readonly command: CommandFacts | null;
  readonly seen: SeenUsage;
  /** An outer door has let this very call through: it is not counted again. */
  readonly joined: boolean;
}

/** The limits that bound an intent: its own, else the configured ones, never none (H-95). */
export function limitsOf(intent: Intent | null, policy: Policy): Limits {
  return {
    maxTurns: intent?.budget.maxTurns ?? policy.maxTurns,
    maxTokens: intent?.budget.maxTokens ?? policy.maxTokens,
    maxIdenticalCalls: policy.maxIdenticalCalls,
    maxScopeFiles: policy.maxScopeFiles,
  };
}

/** Use so far, with what was just seen and with the response that makes this call. */
function usageNow(sources: Sources, intentId: string): Usage {
  const { tables, seen, request } = sources;
  const before = tables.usage(intentId);
  const counted = request.door === 'llm' || sources.joined || seen.calls.has(asDecoded(request.call));
  const inFlight = counted ? 0 : 1;
  return { turns: before.turns + seen.turns + inFlight, tokens: before.tokens + seen.tokens };
}

/** Files the scope covers now; infinite when they cannot be counted, so that the rule refuses (H-52). */
function countOwned(workspace: Workspace, intent: Intent, policy: Policy): number {
  return (
    countScopeFiles(workspace.ground.root, intent.scope, policy.maxScopeFiles).count ??
    Number.POSITIVE_INFINITY
  );
}

/** What a handshake names as its intent, whatever its type. */
export function askedIntent({ args }: ToolCall): JsonValue | undefined {
  return args.intent_id ?? args.id;
}

function handshakeOf({ request, intents, workspace, policy }: Sources): HandshakeFacts | null {
  if (request.call.tool !== HANDSHAKE_TOOL) return null;
  const asked = askedIntent(request.call);
  const intent = intents.find(({ id }) => id === asked) ?? null;
  const countable = intent !== null && isSelectable(intent.status) && intent.scope.fault === null;
  return {
    asked,
    intent,
    scopeFiles: countable ? countOwned(workspace, intent, policy) : null,
  };
}

function targetsOf(sources: Sources): FoundTarget[] {
  const { request, command, workspace, policy, tables, intents } = sources;
  const named = [...request.call.targets, ...(command?.targets ?? [])];
  const { root, home } = workspace.ground;
  const forbidden = named.length > 0 || command !== null ? forbiddenPlaces(policy.forbiddenPaths, home) : [];
  const targets = named.flatMap((target) => {
    const found = resolveTarget(target, request.call.cwd, workspace.ground, forbidden);
    if (!found) return [];
    return [{ ...found, owner: ownerOf(tables, intents, found.relative) }];
  });
  // Not every word is a path, so of all that a command names only what is forbidden becomes a target.
  const among = command ? forbiddenAmong(command, forbidden) : null;
  if (!among) return targets;
  const read = resolveTarget({ path: among.asked, role: 'read' }, root, workspace.ground, forbidden);
  return read ? [...targets, { ...read, forbiddenBy: among.by }] : targets;
}

/** Files that the scope would cover after the call, when it creates some (H-55). */
function scopeFilesAfter(
  sources: Sources,
  intent: Intent | null,
  targets: readonly FoundTarget[],
): number | null {
  if (!intent || intent.scope.fault || !sources.request.call.mutating) return null;
  const born = new Set(
    targets
      .filter(
        ({ role, exists, relative }) =>
          isMutatingRole(role) &&
          role !== 'delete' &&
          !exists &&
          relative !== null &&
          covers(intent.scope, relative),
      )
      .map(({ relative }) => relative),
  );
  if (born.size === 0) return null;
  return countOwned(sources.workspace, intent, sources.policy) + born.size;
}

/** Identical calls in a row, this one included; a joined call is among those counted, under the outer door's name. */
function repeatsOf({ tables, session, request, joined }: Sources): number {
  const repeats = repeatsWith(tables, session.id, request.call.tool, request.call.identity);
  return joined ? Math.max(1, repeats - 1) : repeats;
}

/** Gathers every fact of a decision; all reading of the world for it happens here. */
export function gatherFacts(sources: Sources): Facts {
  const { request, session, intents, policy, failSafe, command, tables } = sources;
  const { call } = request;
  const intent =
    session.intentId === null ? null : (intents.find(({ id }) => id === session.intentId) ?? null);
  const targets = failSafe ? [] : targetsOf(sources);
  return {
    call,
    failSafe,
    estop: readEstop(),
    replayed: !sources.joined && hasBegun(tables, call),
    session: { ...session, repeats: repeatsOf(sources) },
    intent,
    selectable: intents
      .filter(({ status, scope }) => isSelectable(status) && scope.fault === null)
      .map(({ id, name }) => ({ id, name })),
    handshake: failSafe ? null : handshakeOf(sources),
    usage: session.intentId === null ? { turns: 0, tokens: 0 } : usageNow(sources, session.intentId),
    limits: limitsOf(intent, policy),
    targets,
    scopeFilesAfter: failSafe ? null : scopeFilesAfter(sources, intent, targets),
    shell: command?.shell ?? null,
    policy: { allowBackground: policy.allowBackground },
  };
}

/** Facts of a call when the state itself cannot be opened: enough for the fail-safe rule to refuse. */
export function factsInFailSafe(request: PreToolRequest, failSafe: FailSafe): Facts {
  return {
    call: request.call,
    failSafe,
    estop: null,
    session: {
      id: request.sessionId,
      state: 'REQUEST',
      intentId: null,
      pendingId: null,
      repeats: 1,
      haltReason: null,
    },
    intent: null,
    selectable: [],
    handshake: null,
    usage: { turns: 0, tokens: 0 },
    limits: limitsOf(null, DEFAULT_POLICY),
    targets: [],
    scopeFilesAfter: null,
    shell: null,
    policy: { allowBackground: false },
  };
}
