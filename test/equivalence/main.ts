/** `npm run equivalence [-- --json]`: exit code 1 where a door gives another answer and nobody has said why. */
import { columns, say, sayJson } from '../../src/cli/output.ts';
import { summary, tablesOf } from './page.ts';
import { equivalence } from './report.ts';

const USAGE = 'usage: npm run equivalence [-- --json]';
const asked = process.argv.slice(2);
if (asked.some((word) => word !== '--json')) {
  console.error(asked.includes('--help') ? USAGE : `unknown option ${asked.join(' ')}\n${USAGE}`);
  process.exit(asked.includes('--help') ? 0 : 2);
}
const report = await equivalence({ told: (state) => console.error(`… ${state}`) });
if (asked.includes('--json')) sayJson(report);
else {
  for (const [title, table] of Object.entries(tablesOf(report)))
    say(
      `${title}\n${columns(
        table.map((row) => row.map(String)),
        '  ',
      )}\n`,
    );
  say(summary(report));
}
if (report.differences.some(({ reason }) => reason === null)) process.exitCode = 1;
