import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { PactError } from '../../core/errors.ts';
import { monotonicMs, pause } from '../../platform/clock.ts';
import { waitUntil } from '../../platform/run.ts';
import { keepHeapSmall } from '../../platform/small-heap.ts';
import { example } from '../command.ts';
import { installFolder } from '../context.ts';
import { columns, say, sayJson } from '../output.ts';
import { askEngine } from '../serve/client.ts';
import { readAddress, runFiles } from '../serve/places.ts';
import { startEngine } from '../serve/run.ts';

interface Options {
  readonly idle: string;
  readonly background?: boolean;
  readonly status?: boolean;
  readonly stop?: boolean;
  readonly json?: boolean;
}

const START_MS = 10_000;

function idleMs(text: string): number {
  const minutes = Number(text);
  if (Number.isFinite(minutes) && minutes >= 0 && minutes <= 1e6) return minutes * 60_000;
  throw new PactError(
    'INVALID_INPUT',
    `--idle ${text} is no number of minutes`,
    'Give minutes; 0 means never.',
  );
}

function notRunning(): PactError {
  return new PactError('NOT_FOUND', 'no resident engine runs', 'Start it: pactclaw serve --background');
}

async function status(json: boolean): Promise<void> {
  const answer = await askEngine('GET', '/v1/status');
  if (answer === null) {
    if (!json) throw notRunning();
    sayJson({ running: false });
    process.exitCode = 1;
    return;
  }
  const facts = JSON.parse(answer) as Record<string, string | number>;
  if (json) sayJson({ running: true, ...facts });
  else say(columns(Object.entries(facts).map(([key, value]) => [key, String(value)])));
}

async function stop(json: boolean): Promise<void> {
  const files = runFiles(installFolder());
  if ((await askEngine('POST', '/v1/stop')) === null) throw notRunning();
  const gone = await waitUntil(() => readAddress(files) === null, START_MS);
  if (!gone) throw new PactError('TIMEOUT', 'it does not stop', 'Look for its process and end it.');
  if (json) sayJson({ running: false });
  else say('stopped; a hook that finds none starts it again, unless `serve: off` is set');
}

async function inBackground(options: Options): Promise<void> {
  if ((await askEngine('GET', '/v1/status')) === null) {
    const child = spawn(
      process.execPath,
      [`${installFolder()}/bin/pactclaw`, 'serve', '--idle', options.idle],
      {
        detached: true,
        stdio: 'ignore',
        cwd: '/',
      },
    );
    child.unref();
    const until = monotonicMs() + START_MS;
    while ((await askEngine('GET', '/v1/status')) === null) {
      if (monotonicMs() > until) {
        throw new PactError('TIMEOUT', 'the engine did not start', 'Run `pactclaw serve` to see why.');
      }
      await pause(20);
    }
  }
  await status(options.json === true);
}

async function inForeground(options: Options): Promise<void> {
  keepHeapSmall();
  const running = await startEngine(installFolder(), idleMs(options.idle));
  const signal = (name: string) => () => running.stop(name);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, signal(name));
  if (options.json) sayJson({ running: true, port: running.port });
  else say(`resident engine on 127.0.0.1:${running.port}`);
  const reason = await running.ended;
  if (!options.json) say(`stopped: ${reason}`);
  // An event may still be under way; its transaction is whole or not at all.
  process.exit(0);
}

async function serve(options: Options): Promise<void> {
  if (options.status) await status(options.json === true);
  else if (options.stop) await stop(options.json === true);
  else if (options.background) await inBackground(options);
  else await inForeground(options);
}

/** `pactclaw serve`: the resident engine. */
export function register(program: Command): void {
  const command = program
    .command('serve')
    .description('keep the engine running, so that a hook need not start Node for each event')
    .option('--idle <minutes>', 'stop after so long without an event; 0 means never', '0')
    .option('--background', 'start it and return')
    .option('--status', 'show the one that runs')
    .option('--stop', 'stop the one that runs')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Hooks start it when they find none, unless \`serve: off\` is set in .orchestration/config.yaml or serve = "off" in
~/.pactclaw/config.toml; it ends after ten minutes without an event. Whichever decides, the answers are the same.
It serves every workspace of this user on the loopback address, to who shows the token in ~/.pactclaw/run, a folder
that only this user can read.`,
    )
    .action(serve);
  example(command, 'pactclaw serve --background --idle 30', 'pactclaw serve --status');
}
