/** Qwen Code, `qwen -p`. The model speaks chat/completions. */
import type { Client } from './client.ts';

const settings = {
  security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  // Without it the client writes it here at its first start.
  $version: 4,
};

interface Message {
  type: string;
  session_id?: string;
  result?: string;
}

export const qwen: Client = {
  name: 'qwen',
  files: () => ({ '.qwen/settings.json': `${JSON.stringify(settings, null, 2)}\n` }),
  env: ({ url }) => ({
    OPENAI_API_KEY: 'fake',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: 'mock-model',
  }),
  args: ({ prompt, resume }) => [
    ...(resume === undefined ? [] : ['--resume', resume]),
    ...['--auth-type', 'openai', '--approval-mode', 'yolo', '-o', 'json', '-p', prompt],
  ],
  read: (stdout) => {
    const at = stdout.indexOf('[');
    if (at < 0) return {};
    const messages = JSON.parse(stdout.slice(at)) as Message[];
    const result = messages.findLast(({ type }) => type === 'result');
    return { answer: result?.result, session: result?.session_id };
  },
};
