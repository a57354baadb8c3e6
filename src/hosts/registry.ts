import type { HostAdapter } from './adapter.ts';
import { claudeCode } from './claude-code/adapter.ts';
import { cline } from './cline/adapter.ts';
import { codex } from './codex/adapter.ts';
import { copilot } from './copilot/adapter.ts';
import { cursor } from './cursor/adapter.ts';
import { droid } from './droid/adapter.ts';
import { gemini } from './gemini/adapter.ts';
import { generic } from './generic/adapter.ts';
import { kimi } from './kimi/adapter.ts';
import { kiro } from './kiro/adapter.ts';
import { opencode } from './opencode/adapter.ts';
import { pi } from './pi/adapter.ts';
import { qwen } from './qwen/adapter.ts';
import { windsurf } from './windsurf/adapter.ts';

/** Every host whose hooks PactClaw can answer, by the name that a registration gives. */
export const ADAPTERS: Readonly<Record<string, HostAdapter>> = Object.fromEntries(
  [
    claudeCode,
    codex,
    copilot,
    gemini,
    qwen,
    opencode,
    pi,
    cline,
    cursor,
    windsurf,
    droid,
    kimi,
    kiro,
    generic,
  ].map((adapter) => [adapter.host, adapter]),
);
