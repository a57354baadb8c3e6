/** What of OpenCode's plugin interface we use (`@opencode-ai/plugin` 1.18, docs/hosts/opencode.md). */

export interface PluginInput {
  readonly directory: string;
  readonly client: {
    readonly session: {
      get(options: { path: { id: string } }): Promise<{ data?: { parentID?: string } | undefined }>;
    };
  };
}

/** A session as the events `session.created` and `session.updated` carry it. */
export interface SessionInfo {
  readonly id: string;
  readonly parentID?: string;
}

/** A tool part of a message. */
export interface ToolPart {
  readonly type: string;
  readonly tool: string;
  readonly callID: string;
  readonly messageID: string;
  readonly sessionID: string;
  readonly state: { readonly status: string };
}

/** A message as `message.updated` carries it. */
export interface MessageInfo {
  readonly id: string;
  readonly role: string;
  readonly sessionID: string;
  readonly modelID?: string;
  readonly tokens?: unknown;
  readonly time?: { readonly completed?: number };
}

export interface BusEvent {
  readonly type: string;
  readonly properties: {
    readonly sessionID?: string;
    readonly info?: SessionInfo & MessageInfo;
    readonly part?: ToolPart;
  };
}

/** The tool call of `tool.execute.before` and `tool.execute.after`. */
export interface CallInput {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
  readonly args?: unknown;
}

/** A result: of a built-in tool, or as an MCP server gave it. */
export interface CallOutput {
  title?: string;
  output?: string;
  metadata?: unknown;
  attachments?: unknown;
  content?: unknown;
  structuredContent?: unknown;
}

export interface Hooks {
  config(config: { permission?: Record<string, unknown> }): Promise<void>;
  dispose(): Promise<void>;
  event(input: { event: BusEvent }): Promise<void>;
  'chat.message'(input: { sessionID: string }, output: { parts: readonly object[] }): Promise<void>;
  'tool.execute.before'(input: CallInput, output: { args: unknown }): Promise<void>;
  'tool.execute.after'(input: CallInput, output: CallOutput): Promise<void>;
  'experimental.chat.system.transform'(
    input: { sessionID?: string },
    output: { system: string[] },
  ): Promise<void>;
  'experimental.session.compacting'(
    input: { sessionID: string },
    output: { context: string[] },
  ): Promise<void>;
  readonly tool: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly args: object;
        execute(args: unknown, context: { callID?: string }): Promise<string>;
      }
    >
  >;
}
