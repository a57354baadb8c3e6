/** GitHub Copilot CLI, `copilot -p`, with a model provider of one's own. The model speaks chat/completions. */
import { type Client, jsonLines } from './client.ts';

interface Event {
  type: string;
  sessionId?: string;
  data?: { content?: string };
}

export const copilot: Client = {
  name: 'copilot',
  files: () => ({}),
  env: ({ url }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'fake',
    COPILOT_MODEL: 'mock-model',
  }),
  args: ({ prompt, resume }) => [
    // A resumed session keeps the trust it began with; the client refuses to be told both.
    resume === undefined ? '--trust-folder' : `--resume=${resume}`,
    ...['-p', prompt, '--allow-all-tools', '--output-format', 'json', '--disable-builtin-mcps'],
  ],
  read: (stdout) => {
    const events = jsonLines(stdout) as unknown as Event[];
    return {
      answer: events.findLast(({ type, data }) => type === 'assistant.message' && data?.content)?.data
        ?.content,
      session: events.findLast(({ sessionId }) => sessionId !== undefined)?.sessionId,
    };
  },
};
