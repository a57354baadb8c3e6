import * as z from 'zod';
import { messageOf, PactError } from '../../core/errors.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { HANDSHAKE_TOOL } from '../../core/words.ts';

/** What our own tools do; the composition root hands it in. Each may throw a PactError, which the client is told. */
export interface OwnToolPorts {
  /** Text for the handshake tool's description: which intents are open now (H-49). */
  readonly describeIntents: () => Promise<string>;
  readonly select: (intentId: string) => Promise<JsonObject>;
  readonly list: () => Promise<JsonObject>;
  readonly why: (file: string, start: number | undefined, end: number | undefined) => Promise<JsonObject>;
}

/** A tool of PactClaw itself, as both MCP doors offer it. */
export interface OwnTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly meta?: Readonly<Record<string, boolean>>;
  readonly run: (ports: OwnToolPorts, args: Readonly<Record<string, unknown>>) => Promise<JsonObject>;
}

/** The result of one of our tools, in the shape of MCP's CallToolResult. */
export interface OwnResult {
  readonly [key: string]: unknown;
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

const selectInput = z.object({
  intent_id: z.string().min(1).describe('ID of an open intent, for example INT-001'),
  reasoning: z
    .string()
    .optional()
    .describe('Why this request belongs to that intent; kept as the rationale of what you change'),
});
const listInput = z.object({});
const whyInput = z.object({
  file: z.string().min(1),
  start_line: z.int().min(1).optional(),
  end_line: z.int().min(1).optional(),
});

/** The handshake tool (H-32) and the two that go with it. */
export const OWN_TOOLS: readonly OwnTool[] = [
  {
    name: HANDSHAKE_TOOL,
    title: 'Select the active intent',
    description:
      'Required before any other tool: names the active intent you work for and returns its scope, constraints and history. Call it again for each new request.',
    input: selectInput,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    meta: { 'anthropic/alwaysLoad': true },
    run: (ports, args) => ports.select(selectInput.parse(args).intent_id),
  },
  {
    name: 'list_active_intents',
    title: 'List intents',
    description: 'Every intent of the registry with its status, scope and what is left of its budget.',
    input: listInput,
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: (ports) => ports.list(),
  },
  {
    name: 'why',
    title: 'Why does this code exist',
    description:
      'The intent, time, model and rationale behind lines of a file, found by content even if they moved.',
    input: whyInput,
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: (ports, args) => {
      const { file, start_line, end_line } = whyInput.parse(args);
      return ports.why(file, start_line, end_line);
    },
  },
];

/** One of our tools by its name. */
export function ownTool(name: string): OwnTool | undefined {
  return OWN_TOOLS.find((tool) => tool.name === name);
}

/** The handshake tool's description with the intents that are open now. */
export async function describeHandshake(tool: OwnTool, ports: OwnToolPorts): Promise<string> {
  return `${tool.description}\n${await ports.describeIntents().catch(messageOf)}`;
}

/** One of our tools as `tools/list` shows it. */
export function definitionOf(tool: OwnTool, description = tool.description): JsonObject {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, { io: 'input' });
  return {
    name: tool.name,
    title: tool.title,
    description,
    inputSchema: schema as unknown as JsonObject,
    annotations: tool.annotations,
    ...(tool.meta ? { _meta: tool.meta } : {}),
  };
}

function wrongArguments(error: z.ZodError): string {
  const [issue] = error.issues;
  return `Validation Error: ${issue?.path.join('.') || 'the arguments'}: ${issue?.message ?? 'not valid'}`;
}

function problemOf(error: unknown): string {
  if (error instanceof z.ZodError) return wrongArguments(error);
  return error instanceof PactError ? `${error.message}\n${error.remedy}` : messageOf(error);
}

/** Runs one of our tools. What goes wrong is the tool's own error. Never throws. */
export async function runOwnTool(tool: OwnTool, ports: OwnToolPorts, args: unknown): Promise<OwnResult> {
  try {
    const value = await tool.run(ports, isObject(args) ? args : {});
    return {
      content: [{ type: 'text', text: JSON.stringify(value, null, 2) }],
      structuredContent: value as Record<string, unknown>,
    };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: problemOf(error) }] };
  }
}
