/** pi, `pi -p`. The model speaks chat/completions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, jsonLines } from './client.ts';

interface Event {
  type: string;
  id?: string;
  message?: { role: string; content: { type: string; text?: string }[] };
}

/** pi reads the address from this file alone, so that it is written anew for each run. */
const models = (url: string) =>
  JSON.stringify({
    providers: {
      mock: {
        baseUrl: `${url}/v1`,
        api: 'openai-completions',
        apiKey: 'fake',
        models: [{ id: 'mock-model' }],
      },
    },
  });

export const pi: Client = {
  name: 'pi',
  files: () => ({ '.pi/agent/models.json': '' }),
  env: ({ home, url }) => {
    writeFileSync(join(home, '.pi/agent/models.json'), models(url));
    return { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' };
  },
  args: ({ prompt, resume }) => [
    ...['-p', '--mode', 'json', '--provider', 'mock', '--model', 'mock-model'],
    ...(resume === undefined ? [] : ['--session', resume]),
    prompt,
  ],
  read: (stdout) => {
    const events = jsonLines(stdout) as unknown as Event[];
    const last = events.findLast(
      ({ type, message }) => type === 'message_end' && message?.role === 'assistant',
    );
    return {
      answer: last?.message?.content.map(({ text }) => text ?? '').join(''),
      session: events.find(({ type }) => type === 'session')?.id,
    };
  },
};
