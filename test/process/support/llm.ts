import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Wire } from '../../../fixtures/llm/answers.ts';
import { stepOf } from '../../../fixtures/llm/requests.ts';
import { type GovernedProject, PACKAGE } from '../../e2e/support/governed.ts';
import { askGemini } from './llm-gemini.ts';

/** A running `pactclaw llm proxy`. */
export class LlmProxy {
  output = '';
  url = '';
  readonly #child: ChildProcess;

  private constructor(project: GovernedProject, upstream: string, more: readonly string[]) {
    this.#child = spawn(
      process.execPath,
      [
        path.join(PACKAGE, 'bin/pactclaw'),
        ...['llm', 'proxy', '--upstream', upstream, '--listen', '127.0.0.1:0', '--json', ...more],
      ],
      { cwd: project.root, env: { PATH: process.env.PATH ?? '', HOME: project.home, PACTCLAW_LOG: 'debug' } },
    );
    this.#child.stdout?.on('data', (chunk) => (this.output += chunk));
    this.#child.stderr?.on('data', (chunk) => (this.output += chunk));
  }

  static async start(project: GovernedProject, upstream: string, ...more: string[]): Promise<LlmProxy> {
    const proxy = new LlmProxy(project, upstream, more);
    for (let tries = 0; tries < 400; tries += 1) {
      const line = /^\{"url":.*\}$/m.exec(proxy.output);
      if (line) {
        proxy.url = (JSON.parse(line[0]) as { url: string }).url;
        return proxy;
      }
      if (proxy.#child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`the proxy did not start: ${proxy.output}`);
  }

  /** Ends it and waits. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    const ended = new Promise<number | null>((resolve) => this.#child.once('exit', (code) => resolve(code)));
    this.#child.kill(signal);
    return ended;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }
}

/** An answer as a client sees it, whatever the protocol. */
export interface Heard {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  readonly stop: string | null;
  readonly input: number | undefined;
  readonly output: number | undefined;
}

export const KEY = 'sk-test-key-that-nobody-may-write-down-0123456789';

/** What a client sends back of an answer, and with it the results of its calls. */
export type History = unknown[];

/** A conversation of an official client with the proxy. */
export class Conversation {
  readonly history: History = [];

  constructor(
    readonly wire: Wire,
    readonly base: string,
    readonly options: {
      readonly stream: boolean;
      readonly session?: string;
      readonly tools?: readonly string[];
      readonly system?: string;
    },
  ) {}

  get #headers(): Record<string, string> {
    return this.options.session === undefined ? {} : { 'x-pactclaw-session': this.options.session };
  }

  get #tools(): readonly string[] {
    return this.options.tools ?? ['write_file', 'shell'];
  }

  user(text: string): Promise<Heard> {
    this.history.push(stepOf(this.wire, { user: text }));
    return this.go();
  }

  /** Results of calls, and the model's next answer. */
  results(results: readonly { id: string; text: string; failed?: boolean }[]): Promise<Heard> {
    if (this.wire === 'anthropic')
      this.history.push({
        role: 'user',
        content: results.map(({ id, text, failed }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: text,
          ...(failed ? { is_error: true } : {}),
        })),
      });
    else
      for (const { id, text } of results)
        this.history.push(stepOf(this.wire, { result: text, of: { id, name: 'write_file', args: {} } }));
    return this.go();
  }

  go(): Promise<Heard> {
    if (this.wire === 'anthropic') return this.#anthropic();
    if (this.wire === 'gemini') return this.#gemini();
    return this.wire === 'chat' ? this.#chat() : this.#responses();
  }

  #gemini(): Promise<Heard> {
    const { stream, system = 'You are an agent.' } = this.options;
    const options = { key: KEY, headers: this.#headers, stream, system, tools: this.#tools };
    return askGemini(this.base, options, this.history);
  }

  async #anthropic(): Promise<Heard> {
    const client = new Anthropic({
      baseURL: this.base,
      apiKey: KEY,
      maxRetries: 0,
      defaultHeaders: this.#headers,
    });
    const body = {
      model: 'model-x',
      max_tokens: 1_000,
      system: this.options.system ?? 'You are an agent.',
      messages: structuredClone(this.history) as Anthropic.MessageParam[],
      tools: this.#tools.map((name) => ({
        name,
        description: name,
        input_schema: { type: 'object' as const, properties: {} },
      })),
    };
    const message = this.options.stream
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create(body);
    this.history.push({ role: 'assistant', content: message.content });
    return {
      text: message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
      calls: message.content.flatMap((block) =>
        block.type === 'tool_use' ? [{ id: block.id, name: block.name, args: block.input }] : [],
      ),
      stop: message.stop_reason,
      input: message.usage?.input_tokens,
      output: message.usage?.output_tokens,
    };
  }

  get #openai(): OpenAI {
    return new OpenAI({
      baseURL: `${this.base}/v1`,
      apiKey: KEY,
      maxRetries: 0,
      defaultHeaders: this.#headers,
    });
  }

  async #chat(): Promise<Heard> {
    const body = {
      model: 'model-x',
      messages: [
        { role: 'system', content: this.options.system ?? 'You are an agent.' },
        ...structuredClone(this.history),
      ] as OpenAI.ChatCompletionMessageParam[],
      tools: this.#tools.map((name) => ({
        type: 'function' as const,
        function: { name, description: name, parameters: { type: 'object', properties: {} } },
      })),
    };
    const whole = this.options.stream
      ? await this.#openai.chat.completions
          .stream({ ...body, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await this.#openai.chat.completions.create(body);
    const [choice] = whole.choices;
    const message = choice?.message;
    const calls = (message?.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []));
    this.history.push({
      role: 'assistant',
      content: message?.content ?? null,
      ...(calls.length > 0
        ? {
            tool_calls: calls.map(({ id, type, function: { name, arguments: args } }) => ({
              id,
              type,
              function: { name, arguments: args },
            })),
          }
        : {}),
    });
    return {
      text: message?.content ?? '',
      calls: calls.map(({ id, function: { name, arguments: args } }) => ({
        id,
        name,
        args: JSON.parse(args),
      })),
      stop: choice?.finish_reason ?? null,
      input: whole.usage?.prompt_tokens,
      output: whole.usage?.completion_tokens,
    };
  }

  async #responses(): Promise<Heard> {
    const body = {
      model: 'model-x',
      instructions: this.options.system ?? 'You are an agent.',
      input: structuredClone(this.history) as OpenAI.Responses.ResponseInput,
      store: false,
      tools: this.#tools.map((name) => ({
        type: 'function' as const,
        name,
        description: name,
        parameters: { type: 'object', properties: {} },
        strict: false,
      })),
    };
    const response = this.options.stream
      ? await this.#openai.responses.stream(body).finalResponse()
      : await this.#openai.responses.create(body);
    this.history.push(...response.output.map((item) => structuredClone(item)));
    return {
      text: response.output
        .flatMap((item) => (item.type === 'message' ? item.content : []))
        .flatMap((part) => (part.type === 'output_text' ? [part.text] : []))
        .join('\n'),
      calls: response.output.flatMap((item) =>
        item.type === 'function_call'
          ? [{ id: item.call_id, name: item.name, args: JSON.parse(item.arguments) }]
          : [],
      ),
      stop: response.status ?? null,
      input: response.usage?.input_tokens,
      output: response.usage?.output_tokens,
    };
  }
}
