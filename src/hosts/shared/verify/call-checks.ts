import { layoutOf } from '../../../core/layout.ts';
import { STATE_VIOLATION } from '../../../core/rules/state.ts';
import { replaceFile } from '../../../platform/durable-files.ts';
import { moveAside, readIfThere, removeFile } from '../../../platform/files.ts';
import { type Check, check } from './check.ts';
import { Conversation } from './conversation.ts';
import { IN_SCOPE, INTENT } from './sandbox.ts';
import type { HostVerifier, RegisteredHook, Sandbox, Trial } from './verifier.ts';

/** How refusals of scope and self-protection begin: one for another reason would prove nothing. */
const VIOLATION = 'Governance Violation';

async function shakeHands(talk: Conversation): Promise<void> {
  await talk.ask(
    'handshake',
    'the handshake with an unknown intent is denied',
    { does: 'handshake', intentId: 'NO-SUCH' },
    'Validation Error',
  );
  const call = await talk.ask(
    'handshake',
    'the handshake runs',
    { does: 'handshake', intentId: INTENT },
    null,
  );
  await talk.tell('afterTool', 'handshake', call);
}

async function stayInScope(talk: Conversation): Promise<void> {
  const { root, home } = talk.sandbox;
  const file = `${root}/${IN_SCOPE}`;
  const content = 'verified\n';
  const call = await talk.ask('scope', 'Write inside the scope runs', { does: 'write', file, content }, null);
  replaceFile(file, content, { durable: false });
  await talk.tell('afterTool', 'record', call);
  const trace = readIfThere(layoutOf(root).trace)?.toString('utf8') ?? '';
  const traced = trace.includes(IN_SCOPE) && trace.includes(INTENT);
  talk.checks.push(
    check('record', 'the change is in agent_trace.jsonl', traced, traced ? IN_SCOPE : 'no record of it'),
  );
  const outside: [string, Trial][] = [
    ['Write outside the scope is denied', { does: 'write', file: `${root}/README.md`, content: 'x' }],
    ['Edit outside the workspace is denied', { does: 'edit', file: `${home}/x` }],
    [
      'Write over a path with .. is denied',
      { does: 'write', file: `${root}/src/verify/../other.txt`, content: 'x' },
    ],
    ['Bash that writes outside the scope is denied', { does: 'shell', command: 'echo x > outside.txt' }],
    ['a tool nobody declared is held against the scope', { does: 'undeclared', file: `${root}/README.md` }],
  ];
  for (const [title, trial] of outside) await talk.ask('scope', title, trial, VIOLATION);
}

async function reachForGovernance(talk: Conversation): Promise<void> {
  const { verifier, sandbox } = talk;
  for (const name of ['.orchestration/active_intents.yaml', ...verifier.wiringFiles])
    await talk.ask(
      'protection',
      `Write to ${name} is denied`,
      { does: 'write', file: `${sandbox.root}/${name}`, content: '{}' },
      VIOLATION,
    );
  for (const command of ['rm -rf .orchestration', `pactclaw uninstall ${verifier.host}`])
    await talk.ask('protection', `\`${command}\` is denied`, { does: 'shell', command }, VIOLATION);
}

async function breakState(talk: Conversation): Promise<void> {
  const { root, home } = talk.sandbox;
  const { intents } = layoutOf(root);
  const write = (name: string): Trial => ({
    does: 'write',
    file: `${root}/src/verify/${name}`,
    content: name,
  });
  moveAside(intents, `${intents}.aside`);
  await talk.ask('fail-closed', 'without active_intents.yaml a Write is denied', write('a'), 'Fail-Safe');
  moveAside(`${intents}.aside`, intents);
  const stop = `${home}/.pactclaw/ESTOP`;
  replaceFile(stop, 'verification\n', { durable: false });
  await talk.ask(
    'fail-closed',
    'while the emergency stop is set a Write is denied',
    write('b'),
    'Emergency Stop',
  );
  removeFile(stop);
  await talk.ask('fail-closed', 'with all restored a Write runs again', write('c'), null);
}

/** A session from its start to its end, with calls that must run and calls that must not. */
export async function checkCalls(
  verifier: HostVerifier,
  sandbox: Sandbox,
  hooks: readonly RegisteredHook[],
): Promise<Check[]> {
  const talk = new Conversation(verifier, sandbox, hooks);
  const file = `${sandbox.root}/${IN_SCOPE}`;
  await talk.tell('sessionStart', 'handshake');
  await talk.tell('prompt', 'handshake');
  await talk.ask(
    'handshake',
    'Write before the handshake is denied',
    { does: 'write', file, content: 'early' },
    STATE_VIOLATION,
  );
  await talk.ask('handshake', 'Read before the handshake is denied', { does: 'read', file }, STATE_VIOLATION);
  await shakeHands(talk);
  await stayInScope(talk);
  await reachForGovernance(talk);
  await breakState(talk);
  await talk.tell('afterFailure', 'record', talk.unasked({ does: 'shell', command: 'false' }));
  await talk.tell('beforeCompact', 'handshake');
  await talk.tell('stop', 'record');
  await talk.tell('sessionEnd', 'record');
  return talk.checks;
}
