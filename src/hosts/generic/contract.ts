import * as z from 'zod';
import { messageOf } from '../../core/errors.ts';
import { TOOL_KINDS } from '../../core/words.ts';
import { CONTRACT, HARMLESS_KINDS } from './names.ts';

const MAX_PROBLEM = 500;

const EVENTS = [
  'session_start',
  'user_prompt',
  'pre_tool_use',
  'post_tool_use',
  'pre_compact',
  'compacted',
  'stop',
] as const;

/**
 * Text of a bounded length, in characters, without halves of them. Bounds are patterns and not lengths, because JSON
 * Schema counts characters where JavaScript counts code units.
 */
function textOf(max: number, what: string) {
  const pattern = new RegExp(`^[^\\ud800-\\udfff]{1,${max}}$`, 'u');
  return z.string().regex(pattern, `it is not ${what} of 1 to ${max} characters of well-formed text`);
}

const identifier = textOf(256, 'an identifier');

const call = z
  .strictObject({
    id: identifier.optional().describe('Your own id of the call: joins pre_tool_use with post_tool_use'),
    tool: textOf(256, 'a name').describe('Name of the tool; select_active_intent is the handshake'),
    kind: z
      .enum(TOOL_KINDS)
      .optional()
      .describe('What it does. Without it the tool is undeclared: it counts as one that may change anything'),
    mutating: z.boolean().optional().describe('True where a network or control tool changes something'),
    targets: z
      .array(
        z.strictObject({
          path: z.string().min(1).describe('Absolute, or relative to cwd'),
          role: z.enum(['read', 'write', 'delete', 'move-from', 'move-to']),
        }),
      )
      .max(10_000)
      .optional()
      .describe('Files it names. A tool of kind write, delete or move that names none is refused'),
    command: z.string().optional().describe('The shell command, where it runs one'),
    background: z
      .boolean()
      .optional()
      .describe('The command goes on after the call returns: refused by default'),
    args: z.record(z.string(), z.json()).default({}).describe('Its arguments, whole'),
    rationale: z.string().optional().describe('Why the agent makes the call, in its own words'),
    agent_id: identifier.optional().describe('Set when a subagent of the session makes it'),
  })
  .refine((one) => one.mutating !== false || one.kind === undefined || HARMLESS_KINDS.has(one.kind), {
    path: ['mutating'],
    message: 'a tool of this kind changes something',
  })
  .refine((one) => one.kind !== 'execute' || one.command !== undefined, {
    path: ['command'],
    message: 'a tool of kind execute names its command; leave the kind out where there is none',
  });

/** One event of an agent that PactClaw has no adapter for, as `pactclaw hook generic` reads it. */
export const messageSchema = z
  .strictObject({
    contract: z.literal(CONTRACT),
    event: z.enum(EVENTS),
    session_id: identifier.describe('The conversation: budgets, loops and the handshake are kept by it'),
    cwd: z
      .string()
      .regex(/^\//, 'it is not an absolute path')
      .describe('Absolute folder that relative paths start from'),
    host: textOf(64, 'a name').default('generic').describe('Name of your agent, for the record'),
    by_human: z.boolean().default(true).describe('user_prompt: false where a schedule wrote the prompt'),
    call: call.optional().describe('The call; pre_tool_use and post_tool_use need it'),
    ok: z.boolean().default(true).describe('post_tool_use: whether the tool succeeded'),
    result: z.json().optional().describe('post_tool_use: what the tool returned; only its hash is kept'),
    usage: z
      .strictObject({
        turns: z.int().min(0).default(0).describe('Responses of the model'),
        tokens: z.int().min(0).default(0),
        model: textOf(128, 'a name').nullable().default(null),
      })
      .optional()
      .describe(
        'Model use since the last event, counted once against the budget of the intent. Count a response when its calls have ended: the one that makes a call is counted with the call. Read with user_prompt, pre_tool_use, pre_compact and stop',
      ),
  })
  .refine((one) => !one.event.endsWith('_tool_use') || one.call !== undefined, {
    path: ['call'],
    message: 'this event needs the call',
  });

export type GenericMessage = z.output<typeof messageSchema>;
export type GenericCall = z.output<typeof call>;

/** The message, or what is wrong with it in one line. Never throws. */
export function parseMessage(value: unknown): { message: GenericMessage } | { problem: string } {
  let parsed: ReturnType<typeof messageSchema.safeParse>;
  try {
    parsed = messageSchema.safeParse(value);
  } catch (error) {
    // The only way to fail but by a rule: the stack is used up.
    return { problem: `it is nested too deeply (${messageOf(error)})` };
  }
  if (parsed.success) return { message: parsed.data };
  const issue = parsed.error.issues[0];
  const place = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  return { problem: `${place}${issue?.message ?? 'it does not fit the contract'}`.slice(0, MAX_PROBLEM) };
}

/** What is answered to a message. */
export const answerSchema = z.strictObject({
  contract: z.literal(CONTRACT),
  verdict: z
    .enum(['allow', 'deny', 'halt', 'none'])
    .describe('none: the event decides nothing. On anything but allow and none do not run the tool'),
  reason: z.string().nullable().describe('For the agent: what was refused, and what it may do instead'),
  rule: z.string().nullable().describe('The rule that refused'),
  hook: z.string().nullable().describe('The named hook that holds it'),
  receipt: z.string().nullable().describe('Id of the receipt'),
  context: z
    .string()
    .nullable()
    .describe('To be put before the agent: open intents, or scope and constraints'),
  alarm: z.string().nullable().describe('A violation or a failure that agent and human must hear of'),
  handshake: z
    .record(z.string(), z.json())
    .nullable()
    .describe('pre_tool_use of select_active_intent, allowed: what that tool is to answer'),
});
export type GenericAnswer = z.output<typeof answerSchema>;
