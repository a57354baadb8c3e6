import type { Known, Refused } from './known.ts';
import { cutLine, type Line, span } from './line.ts';
import { linesWanted, type Part, partLines, shareRows, tablePart } from './part.ts';
import { clock, type Place, plain, type Row, rowsOf, type Screen } from './screen.ts';
import { table } from './table.ts';
import { widthOf, wrap } from './text.ts';
import { intentColumns, isWorking, sessionColumns } from './view-columns.ts';

export interface Size {
  readonly columns: number;
  /** Null where nothing bounds the height. */
  readonly rows: number | null;
}

/** A session that was quiet for longer is left out. */
const GONE_MS = 24 * 3_600_000;
/** Below this many columns budgets are told in figures alone. */
const NARROW = 60;
/** With so many lines for them the parts are set apart by empty ones, even if something is left out for it. */
const ROOMY = 24;

/** A refusal: what was refused; then why, and what would end it. */
function refusalLines(refused: Row<Refused>, screen: Screen, width: number): readonly Line[] {
  const { tool, target, rule, kind, message, found, intent_id: intent, place } = refused;
  const where = screen.places.length < 2 ? '' : ` ${plain(place.name)}`;
  const inside = target?.startsWith(`${place.root}/`) ? target.slice(place.root.length + 1) : target;
  const what = [tool, inside === tool ? null : inside].flatMap((part) =>
    part === null ? [] : [plain(part)],
  );
  const head: Line = [
    span(`${clock(refused.at)}${where}  `, 'dim'),
    span(plain(found ? `violation: ${kind}` : (rule ?? kind)), 'bad'),
    span(`  ${what.join(' ')}${intent === null ? '' : `  (${plain(intent)})`}`),
  ];
  const why = wrap(plain(message), width - 2, 2).map((line): Line => [span(`  ${line}`)]);
  const way = wrap(`→ ${plain(refused.unblock)}`, width - 2, 2).map(
    (line): Line => [span(`  ${line}`, 'dim')],
  );
  return [head, ...why, ...way];
}

/** How governance stands: one line for all, and one more for each thing that is wrong. */
function governanceLines({ places, estop }: Screen, width: number): readonly Line[] {
  const sum = (pick: (known: Known) => number) => places.reduce((total, { known }) => total + pick(known), 0);
  const refused = sum(({ counts }) => counts.denied);
  const violations = sum(({ counts }) => counts.violations);
  const damaged = sum((known) => known.damaged);
  const failing = places.some(({ known }) => known.snapshot?.failSafe);
  const first: Line = [
    failing ? span('FAIL-SAFE', 'bad') : span('governance on', 'good'),
    estop === null ? span(' · no estop', 'dim') : span(' · ESTOP', 'bad'),
    span(` · ${sum(({ counts }) => counts.allowed) + refused} calls, `, 'dim'),
    span(`${refused} refused`, refused > 0 ? 'warn' : 'dim'),
    ...(violations > 0 ? [span(`, ${violations} found after`, 'bad')] : []),
    ...(damaged > 0 ? [span(`, ${damaged} damaged: pactclaw receipt verify`, 'bad')] : []),
  ];
  const stop: Line[] =
    estop === null ? [] : [[span(`ESTOP ${plain(estop)} stops every agent: pactclaw estop --clear`, 'bad')]];
  return [first, ...stop, ...places.flatMap((place) => failSafeLines(place, places.length > 1, width))];
}

function failSafeLines({ name, known }: Place, isNamed: boolean, width: number): readonly Line[] {
  const failSafe = known.snapshot?.failSafe;
  if (!failSafe) return [];
  const line = failSafe.line === null ? '' : `:${failSafe.line}`;
  const file = failSafe.file === null ? '' : ` (${failSafe.file}${line})`;
  const text = plain(`FAIL-SAFE ${isNamed ? `${name}: ` : ''}${failSafe.reason}${file}`);
  return [
    ...wrap(text, width, 3).map((one): Line => [span(one, 'bad')]),
    ...wrap(`→ ${plain(failSafe.remedy)}`, width, 2).map((one): Line => [span(one, 'dim')]),
  ];
}

function partsOf(screen: Screen, width: number): readonly Part[] {
  const { nowMs } = screen;
  const sessions = rowsOf(screen, ({ snapshot }) => snapshot?.sessions ?? [])
    .filter(({ updatedAt }) => !(nowMs - Date.parse(updatedAt) > GONE_MS))
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  const closed = (status: string) => (status === 'COMPLETED' || status === 'ABANDONED' ? 1 : 0);
  const intents = rowsOf(screen, ({ snapshot }) => snapshot?.intents ?? []).sort(
    (a, b) => closed(a.status) - closed(b.status),
  );
  const refusals = rowsOf(screen, (known) => known.refusals).sort((a, b) => a.at.localeCompare(b.at));
  const working = sessions.filter((session) => isWorking(session, nowMs)).length;
  return [
    tablePart(
      'SESSIONS',
      table(sessionColumns(screen), sessions, width),
      sessions.length,
      sessions.length > 0 ? `, ${working} at work` : '',
    ),
    tablePart('INTENTS', table(intentColumns(screen, width >= NARROW), intents, width), intents.length),
    {
      title: 'REFUSALS',
      count: refusals.length,
      top: [],
      entries: refusals.reverse().map((refused) => refusalLines(refused, screen, width)),
    },
  ];
}

/** The parts in so many lines. */
function bodyLines(parts: readonly Part[], rows: number): Line[] {
  const wanted = parts.map(linesWanted);
  const isRoomy = rows >= ROOMY || wanted.reduce((sum, want) => sum + want + 1, 0) <= rows;
  const given = shareRows(wanted, isRoomy ? rows - parts.length : rows);
  return parts.flatMap((part, at) => [...(isRoomy ? [[]] : []), ...partLines(part, given[at] ?? 0)]);
}

function titleLine({ places, nowMs }: Screen, width: number): Line {
  const title = [span('PactClaw', 'bold'), span(` ${clock(new Date(nowMs).toISOString())}  `, 'dim')];
  const room = width - title.reduce((sum, { text }) => sum + widthOf(text), 0);
  const [only] = places.length === 1 ? places : [];
  const path = plain(only?.root ?? '');
  // Of a path that does not go in the end says the most.
  const named = widthOf(path) <= room ? path : plain(only?.name ?? '');
  return [...title, span(only ? named : `${places.length} workspaces`)];
}

/** The screen as lines: none wider than the terminal, and not more of them than it has rows. */
export function view(screen: Screen, { columns, rows }: Size): readonly Line[] {
  const width = Math.max(1, columns);
  const { notice } = screen;
  const head: readonly Line[] = [titleLine(screen, width), ...governanceLines(screen, width)];
  const foot: readonly Line[] = notice === null ? [] : [[span(plain(notice), 'warn')]];
  const height = rows ?? Number.POSITIVE_INFINITY;
  const parts = partsOf(screen, width);
  const room = Math.max(0, height - head.length - foot.length);
  const body =
    rows === null ? parts.flatMap((part) => [[], ...partLines(part, room)]) : bodyLines(parts, room);
  const lines = [...[...head, ...body].slice(0, Math.max(1, height - foot.length)), ...foot];
  return lines.slice(0, height).map((line) => cutLine(line, width));
}
