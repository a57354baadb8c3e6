/** Cline CLI, `cline`. The model speaks chat/completions. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../../../fixtures/model/protocol.ts';
import { type Client, jsonLines } from './client.ts';

const PROVIDER = 'openai-compatible';

/** The address is read from this file alone, so that it is written anew for each run. */
const providers = (url: string) =>
  JSON.stringify({
    version: 1,
    lastUsedProvider: PROVIDER,
    modes: {},
    providers: {
      [PROVIDER]: {
        settings: { provider: PROVIDER, apiKey: 'fake', model: 'mock-model', baseUrl: `${url}/v1` },
        updatedAt: '2026-01-01T00:00:00.000Z',
        tokenSource: 'manual',
      },
    },
  });

interface Message {
  role: string;
  content: unknown;
}

/** What hooks say of a call follows its result, as a message in the user's name. */
function told(body: Record<string, unknown>): string[] {
  const calls: string[] = [];
  for (const { role, content } of body.messages as Message[]) {
    const text = textOf(content);
    if (role === 'tool') calls.push(text);
    else if (role === 'user' && text.startsWith('<hook_context')) calls.push(`${calls.pop() ?? ''}\n${text}`);
  }
  return calls;
}

export const cline: Client = {
  name: 'cline',
  files: () => ({}),
  env: ({ home, url }) => {
    const folder = join(home, '.cline/data/settings');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'providers.json'), providers(url));
    return { CLINE_NO_AUTO_UPDATE: '1' };
  },
  args: ({ prompt }) => ['--json', '--compaction', 'off', '-P', PROVIDER, '-m', 'mock-model', prompt],
  resumesNot: 'with --id it takes no prompt',
  told,
  read: (stdout) => ({
    answer: jsonLines(stdout).findLast(({ type }) => type === 'run_result')?.text as string | undefined,
  }),
};
