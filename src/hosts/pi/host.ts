/** What of pi's extension interface we use (`@mariozechner/pi-coding-agent` 0.73, docs/extensions.md). */

export interface Context {
  readonly cwd: string;
  readonly hasUI: boolean;
  readonly ui: { notify(message: string, type: 'info' | 'warning' | 'error'): void };
  readonly sessionManager: { getSessionId(): string };
  isIdle(): boolean;
}

export interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly model?: string;
  readonly usage?: unknown;
}

export interface CustomMessage {
  readonly customType: string;
  readonly content: string;
  readonly display: boolean;
}

interface Content {
  readonly type: 'text';
  readonly text: string;
}

interface Call {
  readonly toolName: string;
  readonly toolCallId: string;
}

/** Events by name: what a handler is given and what it may answer. */
interface Events {
  input: [{ readonly source: string; readonly text: string }, { action: 'handled' } | { action: 'continue' }];
  before_agent_start: [object, { message: CustomMessage } | undefined];
  message_start: [{ readonly message: Message }, undefined];
  turn_end: [{ readonly message: Message }, undefined];
  agent_end: [object, undefined];
  tool_call: [Call & { readonly input: object }, { block: true; reason: string } | undefined];
  tool_result: [
    Call & { readonly input: object; readonly content: unknown; readonly isError: boolean },
    { content: Content[]; details: object; isError: true } | undefined,
  ];
  tool_execution_end: [Call, undefined];
  session_before_compact: [object, undefined];
  session_compact: [object, undefined];
  session_shutdown: [object, undefined];
}

export interface ExtensionApi {
  on<E extends keyof Events>(
    event: E,
    handler: (event: Events[E][0], context: Context) => Promise<Events[E][1]>,
  ): void;
  registerTool(tool: {
    readonly name: string;
    readonly label: string;
    readonly description: string;
    readonly promptSnippet: string;
    readonly parameters: object;
    execute(callId: string, args: object): Promise<{ content: Content[]; details: object }>;
  }): void;
  sendMessage(message: CustomMessage): void;
}
