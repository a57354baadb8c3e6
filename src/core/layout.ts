import { SIDECAR } from './words.ts';

/** Where everything of one workspace lies (docs/file-formats.md). Absolute paths with the platform's root. */
export interface Layout {
  readonly root: string;
  readonly sidecar: string;
  readonly intents: string;
  readonly trace: string;
  readonly receipts: string;
  readonly map: string;
  readonly brain: string;
  readonly constitution: string;
  readonly soul: string;
  readonly config: string;
  readonly mcpPins: string;
  readonly state: string;
  readonly writer: string;
  readonly quarantine: string;
  readonly shadow: string;
}

/** The layout of the workspace at `root` (an absolute path without a trailing separator). */
export function layoutOf(root: string): Layout {
  const sidecar = `${root}/${SIDECAR}`;
  return {
    root,
    sidecar,
    intents: `${sidecar}/active_intents.yaml`,
    trace: `${sidecar}/agent_trace.jsonl`,
    receipts: `${sidecar}/tool_receipts.log`,
    map: `${sidecar}/intent_map.md`,
    brain: `${sidecar}/AGENT.md`,
    constitution: `${sidecar}/constitution.md`,
    soul: `${sidecar}/soul.md`,
    config: `${sidecar}/config.yaml`,
    mcpPins: `${sidecar}/mcp_pins.json`,
    state: `${sidecar}/state.db`,
    writer: `${sidecar}/writer`,
    quarantine: `${sidecar}/quarantine`,
    shadow: `${sidecar}/shadow`,
  };
}
