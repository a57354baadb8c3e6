import type { Wire } from '../../../fixtures/llm/answers.ts';

/** An answer put together again by plain rules, apart from the code under test. */
export interface Assembled {
  readonly text: string;
  readonly thinking: string;
  readonly calls: { id: string; name: string; args: string }[];
  readonly stop: string | null;
  /** Block, item or call numbers in the order in which they began. */
  readonly order: number[];
  readonly usage: Record<string, unknown> | null;
  readonly ended: boolean;
}

interface Block {
  type: string;
  id: string;
  name: string;
  text: string;
  args: string;
}

// biome-ignore lint/suspicious/noExplicitAny: wire events of several protocols
type Data = any;

export function eventsOf(stream: string): Data[] {
  return stream
    .split('\n\n')
    .flatMap((raw) => raw.split('\n').filter((line) => line.startsWith('data: ')))
    .map((line) => line.slice(6))
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as Data);
}

function anthropic(stream: string): Assembled {
  const blocks = new Map<number, Block>();
  const order: number[] = [];
  let [stop, usage, ended] = [null as string | null, null as Data, false];
  for (const data of eventsOf(stream)) {
    if (data.type === 'content_block_start') {
      const { type, id = '', name = '' } = data.content_block;
      blocks.set(data.index, { type, id, name, text: '', args: '' });
      order.push(data.index);
    } else if (data.type === 'content_block_delta') {
      const block = blocks.get(data.index);
      if (!block) throw new Error(`delta of block ${data.index}, which has not begun`);
      block.text += data.delta.text ?? data.delta.thinking ?? '';
      block.args += data.delta.partial_json ?? '';
    } else if (data.type === 'message_delta') {
      stop = data.delta.stop_reason;
      usage = data.usage ?? null;
    } else if (data.type === 'message_stop') ended = true;
  }
  const all = [...blocks.values()];
  return {
    text: all
      .filter(({ type }) => type === 'text')
      .map(({ text }) => text)
      .join('|'),
    thinking: all
      .filter(({ type }) => type === 'thinking')
      .map(({ text }) => text)
      .join('|'),
    calls: all.filter(({ type }) => type === 'tool_use').map(({ id, name, args }) => ({ id, name, args })),
    stop,
    order,
    usage,
    ended,
  };
}

function chat(stream: string): Assembled {
  const calls: { id: string; name: string; args: string }[] = [];
  const order: number[] = [];
  let [text, stop, usage] = ['', null as string | null, null as Data];
  for (const data of eventsOf(stream)) {
    usage = data.usage ?? usage;
    const [choice] = data.choices;
    if (!choice) continue;
    text += choice.delta.content ?? '';
    stop = choice.finish_reason ?? stop;
    for (const piece of choice.delta.tool_calls ?? []) {
      if (piece.id !== undefined) {
        calls[piece.index] = { id: piece.id, name: piece.function.name, args: '' };
        order.push(piece.index);
      }
      const call = calls[piece.index];
      if (!call) throw new Error(`piece of call ${piece.index}, which has not begun`);
      call.args += piece.function.arguments ?? '';
    }
  }
  return { text, thinking: '', calls, stop, order, usage, ended: stream.endsWith('data: [DONE]\n\n') };
}

function responses(stream: string): Assembled {
  const order: number[] = [];
  const items: Data[] = [];
  let [stop, usage, ended] = [null as string | null, null as Data, false];
  for (const [at, data] of eventsOf(stream).entries()) {
    if (data.sequence_number !== at) throw new Error(`event ${at} has number ${data.sequence_number}`);
    if (data.type === 'response.output_item.added') order.push(data.output_index);
    else if (data.type === 'response.output_item.done') items[data.output_index] = data.item;
    else if (data.type === 'response.completed') {
      stop = data.response.status;
      usage = data.response.usage;
      ended = true;
      if (JSON.stringify(data.response.output) !== JSON.stringify(items))
        throw new Error('the completed response differs from its items');
    }
  }
  const texts = items.filter(({ type }) => type === 'message').map(({ content }) => content[0].text);
  return {
    text: texts.join('|'),
    thinking: items
      .filter(({ type }) => type === 'reasoning')
      .map((item) => item.encrypted_content)
      .join('|'),
    calls: items
      .filter(({ type }) => type === 'function_call')
      .map((item) => ({ id: item.call_id, name: item.name, args: item.arguments })),
    stop,
    order,
    usage,
    ended,
  };
}

function gemini(stream: string): Assembled {
  const events = eventsOf(stream);
  const candidates = events.flatMap((data) => data.candidates ?? []);
  const parts: Data[] = candidates.flatMap(({ content }) => content?.parts ?? []);
  const calls = parts.flatMap(({ functionCall: call }) => (call ? [call] : []));
  const stop = candidates.at(-1)?.finishReason ?? null;
  const texts = (isThought: boolean) =>
    parts
      .filter(({ text, thought = false }) => text !== undefined && thought === isThought)
      .map(({ text }) => text)
      .join('');
  return {
    text: texts(false),
    thinking: texts(true),
    calls: calls.map(({ id, name, args }) => ({ id, name, args: JSON.stringify(args) })),
    stop,
    order: [],
    usage: events.at(-1)?.usageMetadata ?? null,
    ended: stop !== null,
  };
}

export const ASSEMBLE: Readonly<Record<Wire, (stream: string) => Assembled>> = {
  anthropic,
  chat,
  gemini,
  responses,
};
