/** Gemini CLI, `gemini -p`. */
import type { Client } from './client.ts';

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

export const gemini: Client = {
  name: 'gemini',
  files: () => ({ '.gemini/settings.json': `${JSON.stringify(settings, null, 2)}\n` }),
  env: ({ url }) => ({
    GEMINI_API_KEY: 'fake',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_TELEMETRY_ENABLED: 'false',
  }),
  args: ({ prompt, resume }) => [
    ...(resume === undefined ? [] : ['--resume', resume]),
    ...['-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '-o', 'json', '-p', prompt],
  ],
  read: (stdout) => {
    const at = stdout.indexOf('{');
    if (at < 0) return {};
    const { response, session_id } = JSON.parse(stdout.slice(at)) as Record<string, string>;
    return { answer: response, session: session_id };
  },
};
