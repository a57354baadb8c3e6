import { isObject, type JsonObject } from '../../../core/json.ts';
import type { RunResult } from '../../../platform/run.ts';
import type { Machine } from '../../shared/install/installer.ts';
import { SERVER } from '../../shared/install/server.ts';
import { registeredServer } from '../../shared/server-entry.ts';
import { specificVerdict } from '../../shared/verify/answers.ts';
import { type Check, check } from '../../shared/verify/check.ts';
import { lineHook } from '../../shared/verify/start.ts';
import type {
  HostVerifier,
  RegisteredHook,
  RegisteredServer,
  Verdict,
} from '../../shared/verify/verifier.ts';
import { allRegistered, configsOf } from '../install/guards.ts';
import { CLIENT } from '../install/installer.ts';
import { HOST } from '../tools.ts';
import { HOLES } from './holes.ts';
import { EVENTS, payloadFor, toolFor } from './payloads.ts';
import { checkWiring } from './wiring.ts';

function registered(machine: Machine): RegisteredHook[] {
  return allRegistered(machine).map(({ file, event, matcher, handler }) =>
    lineHook(file, event, { matcher: (matcher ?? null) as JsonObject[string], handler }, handler.command),
  );
}

/** The server's table that counts: a project's before the user's. */
function findServer(machine: Machine): (RegisteredServer & { readonly entry: JsonObject }) | null {
  for (const { file, value } of configsOf(machine)) {
    const servers = isObject(value?.mcp_servers) ? value.mcp_servers : {};
    const entry = servers[SERVER];
    if (!isObject(entry)) continue;
    return { ...registeredServer(file, entry), entry };
  }
  return null;
}

function checkServerTable(machine: Machine): Check[] {
  const entry = findServer(machine)?.entry;
  return [
    check('server', 'the server is not switched off', entry?.enabled !== false, 'enabled is not false'),
    check('server', 'a session waits for the server', entry?.required === true, 'required'),
    check(
      'server',
      'the handshake needs no approval',
      entry?.default_tools_approval_mode === 'approve',
      'default_tools_approval_mode',
    ),
  ];
}

/** Keys that the host's schema of the answer has; with any other it drops the answer, and the call runs. */
const KNOWN = new Set(['hookEventName', 'permissionDecision', 'permissionDecisionReason']);

/** The host's reading: stricter than others', for what it does not know makes it drop a whole answer. */
function verdictOf(result: RunResult): Verdict {
  if (result.code === 2 && result.stderr.trim() !== '') return { verdict: 'denied', text: result.stderr };
  const verdict = specificVerdict({ ...result, code: result.code === 2 ? 1 : result.code });
  if (verdict.verdict !== 'denied') return verdict;
  const answer = JSON.parse(result.stdout) as JsonObject;
  const specific = answer.hookSpecificOutput as JsonObject;
  const stray = [...Object.keys(answer).slice(1), ...Object.keys(specific).filter((key) => !KNOWN.has(key))];
  if (stray.length > 0) return { verdict: 'runs', text: `the answer is dropped for ${stray.join(', ')}` };
  return specific.permissionDecisionReason ? verdict : { verdict: 'runs', text: 'a deny without a reason' };
}

/** Codex CLI (docs/hosts/codex.md). */
export const codexVerifier: HostVerifier = {
  host: HOST,
  clients: [CLIENT],
  events: EVENTS,
  registered,
  wiring: checkWiring,
  server: { find: findServer, checks: checkServerTable },
  env: () => ({ CODEX_HOME: undefined }),
  payload: payloadFor,
  toolFor,
  verdictOf,
  guarded: true,
  wiringFiles: ['.codex/hooks.json', '.codex/config.toml'],
  holes: HOLES,
};
