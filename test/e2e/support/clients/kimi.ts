/** Kimi Code CLI, `kimi -p`. The model speaks chat/completions. */
import { join } from 'node:path';
import { type Client, jsonLines } from './client.ts';
import { toolFolder } from './pins.ts';

export const kimi: Client = {
  name: 'kimi',
  files: () => ({ '.kimi-code/config.toml': 'telemetry = false\n' }),
  env: ({ url }) => ({
    // The later Node that it wants is installed beside it.
    PATH: `${join(toolFolder('kimi'), 'node_modules/.bin')}:${process.env.PATH ?? '/usr/bin:/bin'}`,
    KIMI_MODEL_NAME: 'mock-model',
    KIMI_MODEL_PROVIDER_TYPE: 'openai',
    KIMI_MODEL_BASE_URL: `${url}/v1`,
    KIMI_MODEL_API_KEY: 'fake',
    KIMI_MODEL_MAX_CONTEXT_SIZE: '100000',
    KIMI_DISABLE_TELEMETRY: '1',
    KIMI_CODE_NO_AUTO_UPDATE: '1',
  }),
  args: ({ prompt, resume }) => [
    ...(resume === undefined ? [] : ['--session', resume]),
    ...['-p', prompt, '--output-format', 'stream-json'],
  ],
  read: (stdout) => {
    const lines = jsonLines(stdout);
    const last = lines.findLast(({ role, content }) => role === 'assistant' && typeof content === 'string');
    const session = lines.find(({ type }) => type === 'session.resume_hint')?.session_id;
    return { answer: last?.content as string | undefined, session: session as string | undefined };
  },
};
