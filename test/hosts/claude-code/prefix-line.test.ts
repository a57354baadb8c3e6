import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPrefixLine } from '../../../src/hosts/claude-code/prefix-line.ts';

const BEFORE =
  "source /home/u/.claude/shell-snapshots/snapshot-bash-1.sh 2>/dev/null || true && { \\builtin shopt -u extglob; } >/dev/null 2>&1 || true && { \\builtin unalias -- 'which'; } >/dev/null 2>&1 || true";
const AFTER = ' && pwd -P >| /tmp/claude-efb1-cwd';

/** As Claude Code 2.1.329 writes a word that is no plain one. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;

test.each([
  [`${BEFORE} && eval 'echo hi > a.txt' < /dev/null${AFTER}`, 'echo hi > a.txt'],
  [`${BEFORE} && eval pwd < /dev/null${AFTER}`, 'pwd'],
  [`${BEFORE} && eval ${quoted("cat <<'EOF'\nit's\nEOF")}${AFTER}`, "cat <<'EOF'\nit's\nEOF"],
])('a recorded line: %j', (line, command) => {
  expect(readPrefixLine(line)).toEqual({ command, cwdReport: '/tmp/claude-efb1-cwd' });
});

test('any command comes out as it went in', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (command) => {
      const line = `${BEFORE} && eval ${quoted(command)} < /dev/null${AFTER}`;
      expect(readPrefixLine(line)?.command).toBe(command);
    }),
  );
});

test.each([
  '/usr/bin/node /opt/pactclaw/bin/pactclaw mcp serve',
  'echo x',
  `${BEFORE} && eval 'a' && rm -rf x${AFTER}`,
  `${BEFORE} && eval 'a' < /dev/null && pwd -P >| relative`,
  `${BEFORE} && eval 'a' < /dev/null${AFTER}; rm x`,
  `${BEFORE} && eval 'a`,
  '',
])('what is no such line belongs to no call: %j', (line) => {
  expect(readPrefixLine(line)).toBeNull();
});
