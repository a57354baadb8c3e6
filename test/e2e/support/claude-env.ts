/** Where the real Claude Code client is found, and the closed-off surroundings a test runs it in. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Where the client is: `PACTCLAW_E2E_CLAUDE`, else the repository's own tools folder; undefined = not installed. */
export function findClaude(): string | undefined {
  const local = join(ROOT, '.tools', 'claude-code', 'node_modules', '.bin', 'claude');
  const path = process.env.PACTCLAW_E2E_CLAUDE ?? local;
  return existsSync(path) ? path : undefined;
}

/**
 * The whole environment of a run: nothing is inherited but PATH. The proxy points at a closed port, so that a
 * client which tries to reach anything but loopback fails instead of leaving the machine.
 */
export function claudeEnv(
  home: string,
  modelUrl: string,
  extra: Record<string, string> = {},
): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'sk-ant-fake',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    ...extra,
  };
}
