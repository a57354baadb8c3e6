import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateText, isStepCount, jsonSchema, type LanguageModel, tool } from 'ai';
import { createGovernor } from 'pactclaw';

interface File {
  path: string;
  content: string;
}

/** An agent with one tool of its own. Every call of it is judged, and recorded, before it runs. */
export async function work(model: LanguageModel, workspace: string, request: string): Promise<string> {
  const governor = createGovernor({ workspace, host: 'my-agent' });
  const { handshakeTool } = governor;
  await governor.userPrompt();
  const { text } = await generateText({
    model,
    prompt: request,
    // What the agent is told changes with the handshake, so that it is asked for before every step.
    prepareStep: async () => ({ instructions: await governor.context() }),
    onStepEnd: ({ usage }) =>
      governor.used({ tokens: (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0), model: 'my-model' }),
    stopWhen: isStepCount(20),
    tools: {
      [handshakeTool.name]: tool({
        description: handshakeTool.description,
        inputSchema: jsonSchema<object>(handshakeTool.parameters),
        execute: (args: object) => handshakeTool.execute(args),
      }),
      write_file: tool({
        description: 'Writes a file of the project.',
        inputSchema: jsonSchema<File>({
          type: 'object',
          properties: { path: { type: 'string' }, content: { type: 'string' } },
          required: ['path', 'content'],
          additionalProperties: false,
        }),
        execute: governor.tool(
          'write_file',
          async ({ path, content }: File) => {
            await writeFile(join(workspace, path), content);
            return 'written';
          },
          { kind: 'write', targets: ({ path }) => [{ path, role: 'write' }] },
        ),
      }),
    },
  });
  await governor.stop();
  return text;
}
