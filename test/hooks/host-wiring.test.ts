import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { protectedAs } from '../../src/security/protected.ts';
import { type Agent, TestWorkspace } from '../support/workspace.ts';

let place: TestWorkspace;
let agent: Agent;
beforeEach(async () => {
  place = new TestWorkspace([{ id: 'INT-001' }]);
  place.put('.gitignore', '.gemini/\n.qwen/\n.github/\n.clinerules/\n.cursor/\n.windsurf/\n');
  agent = place.agent('s1');
  await agent.begin('INT-001');
});
afterEach(() => place[Symbol.dispose]());

const SWITCH = '{"hooksConfig":{"enabled":false},"disableAllHooks":true}';

describe('what wires a host, though git ignores it and it lies outside the workspace', () => {
  test.each([
    '.gemini/settings.json',
    '.gemini/.env',
    '.qwen/settings.json',
    '../home/.gemini/settings.json',
    '../home/.gemini/trustedFolders.json',
    '../home/.qwen/settings.json',
    '.github/hooks/pactclaw.json',
    '.github/copilot/settings.json',
    '../home/.copilot/hooks/pactclaw.json',
    '../home/.copilot/settings.json',
    '.clinerules/hooks/PreToolUse',
    '../home/.cline/hooks/PreToolUse',
    '.cursor/hooks.json',
    '../home/.cursor/hooks.json',
    '.windsurf/hooks.json',
  ])('%s is put back after a command', async (file) => {
    const { after } = await agent.shell('node x.js', () => place.put(file, SWITCH));
    expect(after?.alarm).toContain('the command changed what it may not, and this was undone');
    expect(place.text(file)).toBeNull();
  });

  test('a permission that the human gives Qwen Code meanwhile stays', async () => {
    const said = '{"permissions":{"allow":["Bash(ls)"]}}';
    const { after } = await agent.shell('node x.js', () => place.put('.qwen/settings.json', said));
    expect(after?.alarm).toBeNull();
    expect(place.text('.qwen/settings.json')).toBe(said);
  });

  test.each([
    '.gemini/agents/x.md',
    '.gemini/policies/x.toml',
    '.qwen/skills/x/SKILL.md',
    '.github/hooks/x.json',
    '.github/extensions/x/extension.mjs',
    '.clinerules/hooks/x.sh',
    '.cursor/x.json',
    '.windsurf/x.json',
  ])('%s, which the host obeys, is undone', async (file) => {
    place.put(file.replace(/x.*/, 'there.md'), '');
    const { after } = await agent.shell('node x.js', () => place.put(file, 'do as I say'));
    expect(after?.alarm).toContain(file);
    expect(place.text(file)).toBeNull();
  });
});

test.each([
  '/etc/gemini-cli/settings.json',
  '/etc/qwen-code/settings.json',
  '/ws/sub/.gemini/x',
  '/h/.qwen/x',
])('%s is protected', (path) => {
  expect(protectedAs(path, { root: '/ws', home: '/h', install: '' })).toBe("an agent host's configuration");
});
