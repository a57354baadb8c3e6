import { claudeCodeVerifier } from './claude-code/verify/verifier.ts';
import { clineVerifier } from './cline/verify/verifier.ts';
import { codexVerifier } from './codex/verify/verifier.ts';
import { copilotVerifier } from './copilot/verify/verifier.ts';
import { cursorVerifier } from './cursor/verify/verifier.ts';
import { droidVerifier } from './droid/verify/verifier.ts';
import { geminiVerifier } from './gemini/verify/verifier.ts';
import { kimiVerifier } from './kimi/verify/verifier.ts';
import { kiroVerifier } from './kiro/verify/verifier.ts';
import { opencodeVerifier } from './opencode/verifier.ts';
import { piVerifier } from './pi/verifier.ts';
import { qwenVerifier } from './qwen/verify/verifier.ts';
import type { HostVerifier } from './shared/verify/verifier.ts';
import { windsurfVerifier } from './windsurf/verify/verifier.ts';

/** Every host whose installation `pactclaw verify` can try. */
export const VERIFIERS: readonly HostVerifier[] = [
  claudeCodeVerifier,
  codexVerifier,
  copilotVerifier,
  geminiVerifier,
  opencodeVerifier,
  piVerifier,
  qwenVerifier,
  clineVerifier,
  cursorVerifier,
  windsurfVerifier,
  droidVerifier,
  kimiVerifier,
  kiroVerifier,
];
