import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestWorkspace } from '../../../support/workspace.ts';

let place: TestWorkspace;
beforeEach(() => {
  place = new TestWorkspace([{ id: 'INT-001' }], ['src/components/a.ts']);
});
afterEach(() => place[Symbol.dispose]());

const at = (file: string) => file.replace('~', `${place.base}/home`);
const put = (file: string, text: string) => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};

/** Files that load our plugin, and others that a host would load beside it. */
test.each([
  '~/.pi/agent/extensions/pactclaw.js',
  '~/.pi/agent/extensions/other.ts',
  '~/.config/opencode/opencode.json',
  '~/.config/opencode/plugins/other.js',
])('what a program did to %s is undone', async (name) => {
  const file = at(name);
  const agent = place.agent('s1');
  const isNew = file.includes('other');
  if (!isNew) put(file, 'ours\n');
  await agent.begin('INT-001');
  const { after } = await agent.shell('node build.js', () => {
    if (isNew) put(file, 'theirs\n');
    else fs.rmSync(file);
  });
  expect(after?.alarm).toContain(path.basename(file));
  expect(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null).toBe(isNew ? null : 'ours\n');
  expect(place.statusOf('INT-001')).toBe('BLOCKED');
});
