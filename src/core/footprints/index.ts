import { claudeCodeFootprint } from './claude-code.ts';
import { clineFootprint } from './cline.ts';
import { codexFootprint } from './codex.ts';
import { copilotFootprint } from './copilot.ts';
import { cursorFootprint } from './cursor.ts';
import type { Footprint } from './footprint.ts';
import { geminiFootprint } from './gemini.ts';
import { opencodeFootprint } from './opencode.ts';
import {
  droidFootprint,
  genericFootprint,
  kimiFootprint,
  kiroFootprint,
  windsurfFootprint,
} from './others.ts';
import { piFootprint } from './pi.ts';
import { qwenFootprint } from './qwen.ts';

/** Every host that PactClaw knows. Adding a host means adding its footprint here. */
export const FOOTPRINTS: readonly Footprint[] = [
  claudeCodeFootprint,
  geminiFootprint,
  qwenFootprint,
  codexFootprint,
  opencodeFootprint,
  clineFootprint,
  cursorFootprint,
  copilotFootprint,
  piFootprint,
  windsurfFootprint,
  droidFootprint,
  kimiFootprint,
  kiroFootprint,
  genericFootprint,
];

/** Programs of agents that PactClaw has no adapter for. */
export const OTHER_AGENTS: readonly string[] = ['goose'];
