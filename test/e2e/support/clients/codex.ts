/** OpenAI Codex, `codex exec`. The model speaks Responses. */
import { type Client, jsonLines } from './client.ts';

/** Codex asks a human to trust a folder; headless, by configuration. Trust in hooks is the installer's affair. */
const config = (cwd: string) => `model = "gpt-5.5"
model_provider = "mock"
check_for_update_on_startup = false

[analytics]
enabled = false

[projects."${cwd}"]
trust_level = "trusted"
`;

export const codex: Client = {
  name: 'codex',
  files: (_home, cwd) => ({ '.codex/config.toml': config(cwd) }),
  env: () => ({ MOCK_KEY: 'fake' }),
  args: ({ url, prompt, resume }) => [
    'exec',
    ...(resume === undefined ? [] : ['resume', resume]),
    '--json',
    '--skip-git-repo-check',
    '-c',
    'sandbox_mode="danger-full-access"',
    '-c',
    'approval_policy="never"',
    '-c',
    `model_providers.mock={name="mock",base_url="${url}/v1",wire_api="responses",env_key="MOCK_KEY",supports_websockets=false,request_max_retries=0,stream_max_retries=0}`,
    prompt,
  ],
  read: (stdout) => {
    const events = jsonLines(stdout) as { type: string; thread_id?: string; item?: Item }[];
    return {
      answer: events.findLast(({ item }) => item?.type === 'agent_message')?.item?.text,
      session: events.find(({ type }) => type === 'thread.started')?.thread_id,
    };
  },
};

interface Item {
  type: string;
  text?: string;
}
