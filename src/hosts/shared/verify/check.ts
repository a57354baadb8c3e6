/** Capabilities that `verify` grades, each by its checks. */
export const CAPABILITIES = {
  wiring: 'every event reaches PactClaw and a failure refuses',
  handshake: 'no tool before the handshake',
  scope: 'changes stay inside the owned scope',
  protection: 'governance and its wiring are out of reach',
  'fail-closed': 'whatever breaks, the answer is a refusal',
  record: 'what was done is recorded',
  server: 'the handshake tool is offered',
} as const;
export type Capability = keyof typeof CAPABILITIES;

/** One thing that was tried. `seen` says what came of it, for a human. */
export interface Check {
  readonly capability: Capability;
  readonly title: string;
  readonly status: 'passed' | 'failed' | 'warning' | 'skipped';
  readonly seen: string;
}

export function check(capability: Capability, title: string, isGood: boolean, seen: string): Check {
  return { capability, title, status: isGood ? 'passed' : 'failed', seen };
}

/** A warning: a human should know it, but it makes no check fail. */
export function warn(capability: Capability, title: string, seen: string): Check {
  return { capability, title, status: 'warning', seen };
}

export function skip(capability: Capability, title: string, seen: string): Check {
  return { capability, title, status: 'skipped', seen };
}

/** First line of a text, short enough for a table. */
export function brief(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length <= 140 ? line : `${line.slice(0, 139).toWellFormed()}…`;
}
