import { afterAll, beforeAll, expect, test } from 'vitest';
import { BIN, Sandbox } from '../cli/support.ts';

let box: Sandbox;
beforeAll(() => {
  box = new Sandbox().init();
});
afterAll(() => box[Symbol.dispose]());

const NOTHING = 'NOTHING of this run passed PactClaw';

test('U-12: a run of an unknown agent of which nothing passed PactClaw says so at its end', () => {
  const { code, err } = box.run(['wrap', '--', 'sh', '-c', 'exit 7']);
  expect(code).toBe(7);
  expect(err).toContain('NOT KNOWN');
  expect(err.trimEnd().split('\n').at(-1)).toContain(NOTHING);
});

test('U-12: --require-governed makes that a failure', () => {
  expect(box.run(['wrap', '--quiet', '--require-governed', '--', 'true'])).toMatchObject({
    code: 1,
    err: expect.stringContaining(NOTHING),
  });
});

test('a run in which something was recorded says nothing of the kind', () => {
  const event = JSON.stringify({
    hook_event_name: 'SessionStart',
    session_id: 's',
    cwd: box.root,
    source: 'x',
  });
  const hook = `printf '%s' '${event}' | "${process.execPath}" "${BIN}" hook claude-code`;
  const { code, err } = box.run(['wrap', '--require-governed', '--', 'sh', '-c', hook]);
  expect(err).not.toContain(NOTHING);
  expect(code).toBe(0);
});
