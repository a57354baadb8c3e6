import type { McpToolRule } from '../../config/policy.ts';
import type { HookEngine } from '../../hooks/engine.ts';
import type { PinCheck } from '../../mcp/catalogue.ts';
import type { ServerPlan } from '../../mcp/upstream.ts';
import type { OwnToolPorts } from './own-tools.ts';

/** What a session needs of the house; the composition root hands it in. */
export interface ProxyPorts {
  readonly engine: HookEngine;
  readonly own: OwnToolPorts;
  readonly version: string;
  /** What the human has declared of servers' tools, by `server/tool`, as it holds now. */
  readonly rules: () => Promise<Readonly<Record<string, McpToolRule>>>;
  readonly checkPins: PinCheck;
  readonly log: (text: string) => void;
}

/** How one client is served. */
export interface SessionOptions {
  readonly servers: readonly ServerPlan[];
  /** Id of the engine's session. */
  readonly sessionId: string;
  /** The intent that the human who starts the proxy selects for the session; null when the agent has to. */
  readonly intent: string | null;
  /** How long a server may take for one request, in milliseconds; null for as long as it wants. */
  readonly timeoutMs: number | null;
}
