/** A plain client of generateContent: it sends back what the model said, part by part. */
import type { Heard, History } from './llm.ts';

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args?: unknown };
}

interface Response {
  readonly candidates?: readonly { readonly content?: { parts?: Part[] }; readonly finishReason?: string }[];
  readonly usageMetadata?: { readonly promptTokenCount?: number; readonly candidatesTokenCount?: number };
}

/** Asks once and puts the answer into the history. Throws what the door says where it refuses. */
export async function askGemini(
  base: string,
  options: {
    readonly key: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly stream: boolean;
    readonly system: string;
    readonly tools: readonly string[];
  },
  history: History,
): Promise<Heard> {
  const method = options.stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  const answer = await fetch(`${base}/v1beta/models/model-x:${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': options.key, ...options.headers },
    body: JSON.stringify({
      systemInstruction: { parts: [{ text: options.system }] },
      contents: history,
      tools: [
        {
          functionDeclarations: options.tools.map((name) => ({
            name,
            description: name,
            parameters: { type: 'object', properties: {} },
          })),
        },
      ],
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  const events = options.stream ? text.split('\n').filter((line) => line.startsWith('data: ')) : [text];
  const responses = events.map((event) => JSON.parse(event.replace(/^data: /, '')) as Response);
  const candidates = responses.flatMap((one) => one.candidates ?? []);
  const parts = candidates.flatMap(({ content }) => content?.parts ?? []).filter((part) => part.text !== '');
  if (parts.length > 0) history.push({ role: 'model', parts });
  const usage = responses.findLast((one) => one.usageMetadata)?.usageMetadata;
  return {
    text: parts.flatMap((part) => (part.thought ? [] : [part.text ?? ''])).join(''),
    calls: parts.flatMap(({ functionCall: call }) =>
      call ? [{ id: call.id ?? '', name: call.name, args: call.args }] : [],
    ),
    stop: candidates.at(-1)?.finishReason ?? null,
    input: usage?.promptTokenCount,
    output: usage?.candidatesTokenCount,
  };
}
