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

/**
 * Variables that put a host's folder elsewhere, or name what runs its commands: what a hook hands on of its environment to a process that stays. The
 * launcher has the same list.
 */
export const FOLDER_VARIABLES: readonly string[] = [
  ...new Set(
    FOOTPRINTS.flatMap(({ moved = [], seam }) =>
      [...moved, ...(seam ? [seam] : [])].map(({ variable }) => variable),
    ),
  ),
].sort();

/** Programs of agents that PactClaw has no adapter for. */
export const OTHER_AGENTS: readonly string[] = ['goose'];
