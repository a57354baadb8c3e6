/** OpenCode, `opencode run`. The model speaks chat/completions. */
import { type Client, jsonLines } from './client.ts';

/** In the home, so that the project's own file is the adapter's alone. */
const config = {
  // Without it the client writes it here at its first start.
  $schema: 'https://opencode.ai/config.json',
  autoupdate: false,
  share: 'disabled',
  permission: { bash: 'allow', edit: 'allow' },
  provider: {
    mock: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Mock',
      options: { baseURL: '{env:MOCK_URL}', apiKey: 'fake' },
      models: { 'mock-model': { name: 'Mock', tool_call: true, limit: { context: 200_000, output: 8_000 } } },
    },
  },
};

interface Event {
  type: string;
  sessionID?: string;
  part?: { text?: string };
}

export const opencode: Client = {
  name: 'opencode',
  files: () => ({ '.config/opencode/opencode.json': `${JSON.stringify(config, null, 2)}\n` }),
  env: ({ url }) => ({
    MOCK_URL: `${url}/v1`,
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    // Where there are plugins it installs a package beside them, and waits a minute for a registry out of reach.
    npm_config_offline: 'true',
  }),
  args: ({ prompt, resume }) => [
    ...['run', '--format', 'json', '--model', 'mock/mock-model'],
    ...(resume === undefined ? [] : ['--session', resume]),
    prompt,
  ],
  read: (stdout) => {
    const events = jsonLines(stdout) as unknown as Event[];
    return {
      answer: events.findLast(({ type }) => type === 'text')?.part?.text,
      session: events.find(({ sessionID }) => sessionID !== undefined)?.sessionID,
    };
  },
};
