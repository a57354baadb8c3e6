import type { TranscriptReading } from '../../../hooks/requests.ts';
import { linesOf } from './transcript.ts';

/** What a response costs, and what it asks for. */
interface Counted {
  readonly tokens: number;
  /** It asks for the handshake. */
  readonly handshake: boolean;
  /** It makes other calls. */
  readonly others: boolean;
}

/** One response of the model, or one line of it, as a transcript tells of it. */
export interface Response extends Counted {
  /** Lines of one response share it. */
  readonly id: string;
  readonly model: string | null;
  /** Host ids of the calls it made. */
  readonly calls: readonly string[];
}

type Tally = Required<Pick<TranscriptReading, 'turns' | 'tokens' | 'handshakes'>>;

/** Whether calls of these names ask for the handshake, and whether they ask for anything else. */
export function asksFor(names: readonly unknown[], handshake: string): Pick<Counted, 'handshake' | 'others'> {
  return { handshake: names.includes(handshake), others: names.some((name) => name !== handshake) };
}

/** Sums responses. One that asks for the handshake alone is told apart, because the first of a request is free (C-100). */
export function tally(responses: readonly Counted[]): Tally {
  const isAlone = ({ handshake, others }: Counted) => handshake && !others;
  const counted = responses.filter((response) => !isAlone(response));
  return {
    turns: counted.length,
    tokens: counted.reduce((sum, { tokens }) => sum + tokens, 0),
    handshakes: responses.filter(isAlone).map(({ tokens }) => tokens),
  };
}

/** Follows the id of a response that has asked for the handshake alone so far; its tokens come after it. */
const ALONE = ' alone ';

/** Joins the lines that follow each other and belong to one response. */
function joined(lines: readonly Response[]): Response[] {
  const responses: Response[] = [];
  for (const line of lines) {
    const before = responses.at(-1);
    if (before?.id !== line.id) responses.push(line);
    else
      responses[responses.length - 1] = {
        ...before,
        handshake: before.handshake || line.handshake,
        others: before.others || line.others,
      };
  }
  return responses;
}

/**
 * Counts the responses of a reading. The first may go on one that was counted before (`lastMessage`): it costs nothing
 * more, unless it was taken for a handshake alone and now makes another call.
 */
export function countResponses(
  lines: readonly Response[],
  lastMessage: string | null,
): Tally & Pick<TranscriptReading, 'lastMessage' | 'model' | 'calls'> {
  const [last, alone] = lastMessage?.split(ALONE) ?? [null];
  const responses = joined(lines);
  const [first] = responses;
  const goesOn = first !== undefined && first.id === last;
  const late = goesOn && first.others && alone !== undefined ? [{ ...first, tokens: Number(alone) }] : [];
  const fresh = goesOn ? responses.slice(1) : responses;
  const newest = fresh.at(-1);
  const mark = newest?.handshake && !newest.others ? `${ALONE}${newest.tokens}` : '';
  return {
    ...tally([...late, ...fresh]),
    model: lines.findLast(({ model }) => model !== null)?.model ?? null,
    lastMessage: newest ? `${newest.id}${mark}` : late.length > 0 ? (last ?? null) : lastMessage,
    calls: lines.flatMap(({ calls }) => calls),
  };
}

/**
 * What a transcript of JSON lines has gained since an offset: whole lines only. `lastIsHandshake`: the newest response
 * asks for the handshake, though the transcript does not say so yet.
 */
export function readResponses(
  file: string,
  offset: number,
  lastMessage: string | null,
  toResponse: (line: unknown) => Response | null,
  lastIsHandshake = false,
): TranscriptReading {
  const { lines, offset: next } = linesOf(file, offset);
  const responses = lines.flatMap((line) => toResponse(line) ?? []);
  const newest = responses.at(-1);
  if (lastIsHandshake && newest) responses[responses.length - 1] = { ...newest, handshake: true };
  return { offset: next, ...countResponses(responses, lastMessage) };
}
