import type { JsonObject } from '../../../../core/json.ts';
import { layoutOf } from '../../../../core/layout.ts';
import { STATE_VIOLATION } from '../../../../core/rules/state.ts';
import { HANDSHAKE_TOOL } from '../../../../core/words.ts';
import { replaceFile } from '../../../../platform/durable-files.ts';
import { moveAside, readIfThere, removeFile } from '../../../../platform/files.ts';
import { OWN_PREFIX } from '../../tools.ts';
import type { Registered } from '../guards.ts';
import { type Check, check } from './check.ts';
import { Conversation } from './conversation.ts';
import { IN_SCOPE, INTENT, type Sandbox } from './sandbox.ts';

/** How refusals of scope and self-protection begin: one for another reason would prove nothing. */
const VIOLATION = 'Governance Violation';

async function shakeHands(talk: Conversation): Promise<void> {
  const input = { intent_id: INTENT };
  const tool = `${OWN_PREFIX}${HANDSHAKE_TOOL}`;
  await talk.ask(
    'handshake',
    'the handshake with an unknown intent is denied',
    tool,
    { intent_id: 'NO-SUCH' },
    'Validation Error',
  );
  const call = await talk.ask('handshake', 'the handshake runs', tool, input, null);
  await talk.tell('PostToolUse', 'handshake', { ...call, tool_response: [{ type: 'text', text: INTENT }] });
}

async function stayInScope(talk: Conversation): Promise<void> {
  const { root } = talk.sandbox;
  const file = `${root}/${IN_SCOPE}`;
  const content = 'verified\n';
  const call = await talk.ask(
    'scope',
    'Write inside the scope runs',
    'Write',
    { file_path: file, content },
    null,
  );
  replaceFile(file, content, { durable: false });
  const tool_response = { type: 'create', filePath: file, content, structuredPatch: [], originalFile: null };
  await talk.tell('PostToolUse', 'record', { ...call, tool_response });
  const trace = readIfThere(layoutOf(root).trace)?.toString('utf8') ?? '';
  const traced = trace.includes(IN_SCOPE) && trace.includes(INTENT);
  talk.checks.push(
    check('record', 'the change is in agent_trace.jsonl', traced, traced ? IN_SCOPE : 'no record of it'),
  );
  const outside: [string, string, JsonObject][] = [
    ['Write outside the scope is denied', 'Write', { file_path: `${root}/README.md`, content: 'x' }],
    [
      'Edit outside the workspace is denied',
      'Edit',
      { file_path: `${talk.sandbox.home}/x`, old_string: 'a', new_string: 'b' },
    ],
    [
      'Write over a path with .. is denied',
      'Write',
      { file_path: `${root}/src/verify/../other.txt`, content: 'x' },
    ],
    ['Bash that writes outside the scope is denied', 'Bash', { command: 'echo x > outside.txt' }],
    ['a tool nobody declared is held against the scope', 'NoSuchTool', { file_path: `${root}/README.md` }],
  ];
  for (const [title, tool, input] of outside) await talk.ask('scope', title, tool, input, VIOLATION);
}

async function reachForGovernance(talk: Conversation): Promise<void> {
  const { root } = talk.sandbox;
  const files = ['.orchestration/active_intents.yaml', '.claude/settings.json', '.mcp.json'];
  for (const name of files)
    await talk.ask(
      'protection',
      `Write to ${name} is denied`,
      'Write',
      { file_path: `${root}/${name}`, content: '{}' },
      VIOLATION,
    );
  const commands = ['rm -rf .orchestration', 'pactclaw uninstall claude-code'];
  for (const command of commands)
    await talk.ask('protection', `\`${command}\` is denied`, 'Bash', { command }, VIOLATION);
}

async function breakState(talk: Conversation): Promise<void> {
  const { root, home } = talk.sandbox;
  const { intents } = layoutOf(root);
  const write = (name: string) => ({ file_path: `${root}/src/verify/${name}`, content: name });
  moveAside(intents, `${intents}.aside`);
  await talk.ask(
    'fail-closed',
    'without active_intents.yaml a Write is denied',
    'Write',
    write('a'),
    'Fail-Safe',
  );
  moveAside(`${intents}.aside`, intents);
  const stop = `${home}/.pactclaw/ESTOP`;
  replaceFile(stop, 'verification\n', { durable: false });
  await talk.ask(
    'fail-closed',
    'while the emergency stop is set a Write is denied',
    'Write',
    write('b'),
    'Emergency Stop',
  );
  removeFile(stop);
  await talk.ask('fail-closed', 'with all restored a Write runs again', 'Write', write('c'), null);
}

/** A session from its start to its end, with calls that must run and calls that must not. */
export async function checkCalls(sandbox: Sandbox, hooks: readonly Registered[]): Promise<Check[]> {
  const talk = new Conversation(sandbox, hooks);
  await talk.tell('SessionStart', 'handshake', { source: 'startup' });
  await talk.tell('UserPromptSubmit', 'handshake', { prompt: 'verify' });
  const early = { file_path: `${sandbox.root}/${IN_SCOPE}`, content: 'early' };
  await talk.ask('handshake', 'Write before the handshake is denied', 'Write', early, STATE_VIOLATION);
  await talk.ask(
    'handshake',
    'Read before the handshake is denied',
    'Read',
    { file_path: early.file_path },
    STATE_VIOLATION,
  );
  await shakeHands(talk);
  await stayInScope(talk);
  await reachForGovernance(talk);
  await breakState(talk);
  const failed = {
    tool_name: 'Bash',
    tool_input: { command: 'false' },
    tool_use_id: 'toolu_verify_f',
    error: 'Exit code 1',
  };
  await talk.tell('PostToolUseFailure', 'record', failed);
  await talk.tell('PreCompact', 'handshake', { trigger: 'manual', custom_instructions: '' });
  await talk.tell('Stop', 'record', { stop_hook_active: false, last_assistant_message: 'done' });
  await talk.tell('SessionEnd', 'record', { reason: 'other' });
  return talk.checks;
}
