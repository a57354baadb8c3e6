import readline from 'node:readline/promises';
import { createTwoFilesPatch } from 'diff';
import type { JsonObject } from '../../core/json.ts';
import type { Definitions, ToolChange } from '../../mcp/pins.ts';
import { acceptPin, waitingFor } from '../../proxy/mcp/pin-keeper.ts';
import type { CommonOptions } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { assertHuman } from '../humans-only.ts';
import { logEvent } from '../operator-log.ts';
import { clean, paint, say, sayJson } from '../output.ts';
import { EXIT } from '../run.ts';

interface Options extends CommonOptions {
  readonly yes?: boolean;
  readonly show?: boolean;
}

function textOf(tool: JsonObject | undefined): string {
  return tool ? `${JSON.stringify(tool, null, 2)}\n` : '';
}

/** The difference of one tool's definition, line by line, with whatever a terminal would obey spelled out. */
function differenceOf({ tool, change }: ToolChange, before: Definitions, now: Definitions): string[] {
  const patch = createTwoFilesPatch('', '', textOf(before[tool]), textOf(now[tool]), '', '', { context: 2 });
  const lines = patch
    .split('\n')
    .slice(4)
    .filter((line) => line !== '')
    .map((line) => {
      const shown = `  ${clean(line)}`;
      return line.startsWith('+') ? paint.green(shown) : line.startsWith('-') ? paint.red(shown) : shown;
    });
  return [`${paint.bold(clean(tool))} ${change}`, ...lines];
}

async function agrees(server: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = readline.createInterface({ input: process.stdin, output: process.stdout });
  try {
    const said = await terminal.question(`Accept these tools of ${server}? [y/N] `);
    return /^y(es)?$/i.test(said.trim());
  } finally {
    terminal.close();
  }
}

/** `pactclaw mcp accept SERVER`: a human looks at what changed in a server's tools, and lets it go on or not. */
export async function accept(server: string, options: Options): Promise<void> {
  assertHuman('`pactclaw mcp accept`');
  const workspace = openWorkspace(options.workspace);
  const { before, now, changes } = waitingFor(workspace, server);
  if (!options.json) {
    if (before.source !== now.source)
      say(`The server's command was: ${clean(before.source)}\n                  it is: ${clean(now.source)}`);
    for (const change of changes) say(differenceOf(change, before.tools, now.tools).join('\n'));
  }
  const accepted = options.show !== true && (options.yes === true || (await agrees(server)));
  if (accepted) {
    acceptPin(workspace, server, now.digest);
    logEvent('info', 'mcp_accepted', { server, digest: now.digest });
  } else if (options.show !== true) process.exitCode = EXIT.failed;
  if (options.json) return sayJson({ server, accepted, digest: now.digest, changes });
  if (accepted) say(`accepted; sessions in front of ${server} go on by themselves`);
  else if (options.show !== true) say('nothing was accepted; without a terminal, add --yes');
}
