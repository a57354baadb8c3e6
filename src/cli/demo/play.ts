import fs from 'node:fs';
import path from 'node:path';
import { PactError } from '../../core/errors.ts';
import { ScriptedAgent } from './agent.ts';
import { pactclaw, type Scratch } from './scratch.ts';
import type { Stage } from './stage.ts';

const HELLO = `/** Greets one person. */
export function hello(name: string): string {
  const greeting = 'Good day';
  return \`\${greeting}, \${name}\`;
}
`;

/** Fifty lines to stand above the greeting, so that it moves. */
const ABOVE = Array.from(
  { length: 50 },
  (_, at) => `export const phrase${at + 1} = 'phrase ${at + 1}';\n`,
).join('');

/** A step of the demonstration did not do what it shows; it stops instead of printing on. */
function expect(held: boolean, what: string): void {
  if (!held)
    throw new PactError(
      'INTERNAL',
      `the demonstration went wrong: ${what}`,
      'Run it again with --keep and look at the scratch folder.',
    );
}

function shown(scratch: Scratch, stage: Stage, args: readonly string[]): void {
  const { code, stdout, stderr } = pactclaw(scratch, args);
  stage.command(`pactclaw ${args.join(' ')}`, stdout + stderr);
  expect(code === 0, `pactclaw ${args[0]} ended with ${code}`);
}

function edit(scratch: Scratch, from: RegExp, to: string): void {
  const file = path.join(scratch.root, '.orchestration/active_intents.yaml');
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(from, to));
}

function intentLines(scratch: Scratch): string {
  return fs
    .readFileSync(path.join(scratch.root, '.orchestration/active_intents.yaml'), 'utf8')
    .split('\n')
    .slice(1, 6)
    .join('\n');
}

/** The whole session: intercepted, shaking hands, at work, out of bounds, in a loop, unblocked, explained. */
export function play(scratch: Scratch, stage: Stage): void {
  const agent = new ScriptedAgent(scratch, 'session-1');

  stage.scene('A human asks; the agent acts first');
  agent.asked('Greet people by name.');
  const early = agent.write('src/greeting/hello.ts', HELLO);
  stage.call('Write src/greeting/hello.ts', early.before);
  expect(!early.before.allowed, 'a write before the handshake was allowed');

  stage.scene('It shakes hands: names its intent, and is given the bounds');
  const shaken = agent.handshake('INT-001', 'The request is about greeting people by name.');
  stage.call('select_active_intent INT-001', shaken.before);
  stage.quote(shaken.after?.text ?? '');
  expect(shaken.before.allowed, 'the handshake was refused');

  stage.scene('Inside its scope it works undisturbed');
  const written = agent.write('src/greeting/hello.ts', HELLO);
  stage.call('Write src/greeting/hello.ts', written.before);
  expect(written.before.allowed, 'a write inside the scope was refused');

  stage.scene('Outside it is refused, whatever the tool');
  const outside = [
    { what: 'Write src/secret.ts', ...agent.write('src/secret.ts', 'leaked') },
    { what: 'Bash: echo leaked > src/secret.ts', ...agent.shell('echo leaked > src/secret.ts') },
    { what: 'Bash: rm -rf .orchestration', ...agent.shell('rm -rf .orchestration') },
  ];
  for (const { what, before } of outside) {
    stage.call(what, before);
    expect(!before.allowed, `${what} was allowed`);
  }

  stage.scene('A block moves fifty lines down');
  const moved = agent.write('src/greeting/hello.ts', ABOVE + HELLO);
  stage.call('Write src/greeting/hello.ts (50 lines above the greeting)', moved.before);
  shown(scratch, stage, ['why', 'src/greeting/hello.ts:53']);

  stage.scene('The agent loops; the circuit breaker ends the session');
  for (let round = 1; round <= 4; round += 1) {
    const { before } = agent.read('src/secret.ts');
    stage.call(`Read src/secret.ts (${round})`, before);
    expect(
      before.allowed === round < 4,
      `identical call ${round} was ${before.allowed ? 'allowed' : 'refused'}`,
    );
  }
  stage.say('The human’s file says so, comments and all:');
  stage.quote(intentLines(scratch));

  stage.scene('Only the human’s edit lets it go on');
  const second = new ScriptedAgent(scratch, 'session-2');
  second.asked('Go on.');
  const blocked = second.handshake('INT-001', 'Going on with the greeting.');
  stage.call('select_active_intent INT-001', blocked.before);
  expect(!blocked.before.allowed, 'a blocked intent was selected');
  edit(scratch, /status: BLOCKED\n\s+blocked_reason: .*\n/, 'status: IN_PROGRESS\n');
  stage.say('… the human sets status: IN_PROGRESS …');
  const again = second.handshake('INT-001', 'Going on with the greeting.');
  stage.call('select_active_intent INT-001', again.before);
  expect(again.before.allowed, 'the intent could not be selected after the edit');

  stage.scene('A script that writes where its author may not is found, and undone');
  second.write('src/greeting/fix.sh', 'echo leaked > src/secret.ts\n');
  const script = second.shell('sh src/greeting/fix.sh');
  stage.call('Bash: sh src/greeting/fix.sh', script.before);
  stage.quote(script.after?.text ?? '');
  expect(
    fs.readFileSync(path.join(scratch.root, 'src/secret.ts'), 'utf8').includes('do not touch'),
    'the secret was not restored',
  );

  stage.scene('Everything is on record');
  shown(scratch, stage, ['trace', 'list']);
  shown(scratch, stage, ['receipt', 'list', '--violations']);
  shown(scratch, stage, ['trace', 'verify']);
  shown(scratch, stage, ['receipt', 'verify']);
}
