import { claudeCodeInstaller } from './claude-code/install/installer.ts';
import { clineInstaller } from './cline/install/installer.ts';
import { codexInstaller } from './codex/install/installer.ts';
import { copilotInstaller } from './copilot/install/installer.ts';
import { cursorInstaller } from './cursor/install/installer.ts';
import { droidInstaller } from './droid/install/installer.ts';
import { geminiInstaller } from './gemini/install/installer.ts';
import { kimiInstaller } from './kimi/install/installer.ts';
import { kiroInstaller } from './kiro/install/installer.ts';
import { opencodeInstaller } from './opencode/installer.ts';
import { piInstaller } from './pi/installer.ts';
import { qwenInstaller } from './qwen/install/installer.ts';
import type { HostInstaller } from './shared/install/installer.ts';
import { windsurfInstaller } from './windsurf/install/installer.ts';

/** Every host that PactClaw can be registered with. */
export const INSTALLERS: readonly HostInstaller[] = [
  claudeCodeInstaller,
  codexInstaller,
  copilotInstaller,
  geminiInstaller,
  qwenInstaller,
  opencodeInstaller,
  piInstaller,
  clineInstaller,
  cursorInstaller,
  windsurfInstaller,
  droidInstaller,
  kimiInstaller,
  kiroInstaller,
];
