import type { Answer } from './ground.ts';
import type { Difference, Report } from './report.ts';

/** Rows of a table, the first one its head. */
type Table = readonly (readonly (string | number)[])[];

const word = ({ verdict, rule }: Answer) => (rule === null ? verdict : `${verdict} (${rule})`);

/** Differences that have door, tool, both answers and reason in common. */
function grouped(differences: readonly Difference[]): Difference[][] {
  const groups = new Map<string, Difference[]>();
  for (const one of differences) {
    const key = JSON.stringify([one.door, one.does, one.got, one.reason]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

const distinct = (texts: readonly string[]) => [...new Set(texts)].join('; ');

function counted(head: string, counts: Readonly<Record<string, number>>): Table {
  return [[head, 'calls'], ...Object.entries(counts)];
}

/** Every table of a report, by its title. */
export function tablesOf(report: Report): Readonly<Record<string, Table>> {
  return {
    Doors: [
      [
        'door',
        'calls',
        'same verdict, same rule',
        'other, with a reason',
        'other, without',
        'no such tool there',
      ],
      ...report.doors.map((one) => [
        one.door,
        one.asked,
        one.agreed,
        one.reasoned,
        one.unreasoned,
        one.without,
      ]),
    ],
    Differences: [
      ['door', 'call', 'calls', 'what is special of them', 'elsewhere', 'there', 'why'],
      ...grouped(report.differences).map((group) => [
        group[0]?.door ?? '',
        group[0]?.does ?? '',
        group.length,
        distinct(group.map(({ about }) => about)),
        distinct(group.map(({ want }) => word(want))),
        distinct(group.map(({ got }) => word(got))),
        group[0]?.reason ?? 'NO REASON',
      ]),
    ],
    'Calls by tool': counted('tool', report.byTool),
    'Calls by state': counted('state', report.byState),
    'Calls by intent': counted('intent', report.byIntent),
    'Calls by what is special of the path, the command or the intent': counted('special', report.byAbout),
    'Answers by rule': counted('rule that refused', report.byRule),
  };
}

/** What a report comes to, in one line. */
export function summary({ calls, doors, differences }: Report): string {
  const asked = doors.reduce((sum, one) => sum + one.asked, 0);
  const unreasoned = differences.filter(({ reason }) => reason === null).length;
  return `${calls} calls through ${doors.length} doors, ${asked} answers: ${asked - differences.length} the same, ${differences.length - unreasoned} others with a reason, ${unreasoned} without one.`;
}

/** The report as the page in docs/ has it. */
export function markdown(report: Report): string {
  const cell = (value: string | number) => String(value).replaceAll('|', '\\|');
  const sections = Object.entries(tablesOf(report)).map(([title, [head = [], ...rows]]) =>
    [
      `### ${title}`,
      '',
      `| ${head.join(' | ')} |`,
      `|${head.map(() => '---|').join('')}`,
      ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
      '',
    ].join('\n'),
  );
  return [summary(report), '', ...sections].join('\n');
}
