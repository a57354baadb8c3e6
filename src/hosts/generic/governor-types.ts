import type { JsonObject } from '../../core/json.ts';
import type { TargetRole } from '../../core/tool-call.ts';
import type { ToolKind } from '../../core/words.ts';

/** Whom a governor stands for. */
export interface GovernorOptions {
  /** Folder of the project: it holds `.orchestration/`. */
  readonly workspace: string;
  /** Your id of the conversation, 1 to 256 characters; a new one when absent. Budgets and the handshake are kept by it. */
  readonly sessionId?: string;
  /** Name of your agent, for the record. */
  readonly host?: string;
}

/** A file that a call names. A relative path starts from the workspace. */
export interface ToolTarget {
  readonly path: string;
  readonly role: TargetRole;
}

/** What a tool does, so that its calls can be judged. Everything else about a call is in its arguments. */
export interface ToolOptions<Args> {
  /**
   * What the tool does. Without it the tool is undeclared: it counts as one that may change anything, its arguments are
   * searched for paths, and the work tree is compared before and after each call.
   */
  readonly kind?: ToolKind;
  /** True where a network or control tool changes something. */
  readonly mutating?: boolean;
  /** Files that a call names; kinds write, delete and move need it. */
  readonly targets?: (args: Args) => readonly ToolTarget[];
  /** The shell command that a call runs; kind execute needs it. */
  readonly command?: (args: Args) => string;
  /** Why the agent makes the call, in its own words; kept as the reason of what it changes. */
  readonly rationale?: (args: Args) => string | undefined;
  /** Set when a subagent of the session uses the tool. */
  readonly agentId?: string;
}

/** Use of the model that is reported once. */
export interface ModelUse {
  /** Responses of the model; 1 when absent. */
  readonly turns?: number;
  /** Tokens that were not read from a cache: input and output. */
  readonly tokens?: number;
  readonly model?: string;
}

/** The handshake as a tool of your agent, whatever kit it is made with. */
export interface HandshakeTool {
  readonly name: 'select_active_intent';
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: JsonObject;
  /** Selects the intent and answers its scope, constraints and history. Throws a RefusedError. */
  readonly execute: (args: unknown) => Promise<JsonObject>;
}

/** One session of an agent that this process runs, governed by the workspace's engine. */
export interface Governor {
  readonly sessionId: string;
  /**
   * Tells of a request of the user; every request starts with a handshake. Resolves to what the agent must be told
   * before it answers (the open intents, or its scope). Throws a RefusedError where it could not be recorded.
   */
  userPrompt(request?: { readonly byHuman?: boolean }): Promise<string>;
  /**
   * The same function, governed: it runs only after its call was allowed and recorded, and its end is recorded too, also
   * when it throws. A refused call throws a RefusedError and runs nothing.
   */
  tool<Args, More extends unknown[], Result>(
    name: string,
    run: (args: Args, ...more: More) => Promise<Result> | Result,
    options?: ToolOptions<Args>,
  ): (args: Args, ...more: More) => Promise<Result>;
  readonly handshakeTool: HandshakeTool;
  /** What the agent is to be told in the state that the session is in; changes with the handshake. */
  context(): Promise<string>;
  /** Reports use of the model, counted with the next event. Report a response when its calls have ended. */
  used(use: ModelUse): void;
  /** The run has ended: counts what is left and writes lessons down. */
  stop(): Promise<void>;
}
