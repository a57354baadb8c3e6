import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Agent, run, tool } from '@openai/agents';
import { createGovernor } from 'pactclaw';
import { z } from 'zod';

interface Command {
  command: string;
}

const runs = promisify(execFile);

/** An agent with a shell. What a command changed outside the scope is found after it ran, and undone. */
export async function work(model: string, workspace: string, request: string): Promise<string> {
  const governor = createGovernor({ workspace, host: 'my-agent' });
  const { handshakeTool } = governor;
  await governor.userPrompt();
  const shell = governor.tool(
    'bash',
    async ({ command }: Command) => (await runs('sh', ['-c', command], { cwd: workspace })).stdout,
    { kind: 'execute', command: ({ command }) => command },
  );
  const agent = new Agent({
    name: 'Worker',
    model,
    // What the agent is told changes with the handshake, so that it is asked for before every turn.
    instructions: () => governor.context(),
    tools: [
      tool({
        name: handshakeTool.name,
        description: handshakeTool.description,
        parameters: handshakeTool.parameters as never,
        strict: false,
        execute: (args: unknown) => handshakeTool.execute(args),
        // A refusal is written for the model: it is the tool's answer.
        errorFunction: (_context, error) => String(error),
      }),
      tool({
        name: 'bash',
        description: 'Runs a command of the shell in the project.',
        parameters: z.object({ command: z.string() }),
        execute: (args) => shell(args),
        errorFunction: (_context, error) => String(error),
      }),
    ],
  });
  const { finalOutput } = await run(agent, request, { maxTurns: 20 });
  await governor.stop();
  return finalOutput ?? '';
}
