import type { HostAdapter } from './adapter.ts';
import { claudeCode } from './claude-code/adapter.ts';
import { copilot } from './copilot/adapter.ts';
import { generic } from './generic/adapter.ts';

/** Every host whose hooks PactClaw can answer, by the name that a registration gives. */
export const ADAPTERS: Readonly<Record<string, HostAdapter>> = Object.fromEntries(
  [claudeCode, copilot, generic].map((adapter) => [adapter.host, adapter]),
);
