import type { Command } from 'commander';

const HEAD = `# Command line

Made by \`npm run docs:cli\` from the commands themselves; edit those, not this page. Every command that reports takes
\`--json\`. Colours appear only on a terminal and never with \`NO_COLOR\`. \`PACTCLAW_LOG=json\` (or \`debug\`, \`info\`, …)
switches the operator log on, on standard error.

An error is one line, \`pactclaw: WHAT (FILE:LINE)\`, and one that says what to do; with \`--json\` it is also
\`{"error": {code, message, remedy, file, line}}\` on standard output.

| Exit code | Meaning |
| --- | --- |
| 0 | done |
| 1 | failed; for \`status\`: in fail-safe, for \`verify\` and \`fsck\`: something is broken |
| 2 | wrong use of the command line |
| 3 | \`check\`: a rule refuses the call |
| 70 | a fault of PactClaw itself |

`;

/** The help page of a command as its user sees it, examples included. */
function helpOf(command: Command): string {
  let text = '';
  const before = command.configureOutput();
  command.configureOutput({
    ...before,
    writeOut: (part) => {
      text += part;
    },
    getOutHasColors: () => false,
  });
  command.outputHelp();
  command.configureOutput(before);
  return text.trimEnd();
}

function pagesOf(command: Command, path: readonly string[]): string {
  const title = path.join(' ');
  const own = `${'#'.repeat(Math.min(path.length + 1, 4))} ${title}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`;
  const members = command.commands.filter((one) => one.name() !== 'help');
  return [own, ...members.map((one) => pagesOf(one, [...path, one.name()]))].join('\n');
}

/** `docs/cli.md`: the help of every command. */
export function renderCliDocs(program: Command): string {
  return HEAD + pagesOf(program, ['pactclaw']);
}
