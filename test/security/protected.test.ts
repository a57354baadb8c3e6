import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../../src/security/fold.ts';
import { mentionsProtected, protectedAs, protectedSamples } from '../../src/security/protected.ts';

const ground = { root: '/w/project', home: '/home/me', install: '/opt/pactclaw' };

describe('protectedAs (H-48)', () => {
  test.each([
    '/w/project/.orchestration',
    '/w/project/.orchestration/active_intents.yaml',
    '/w/project/packages/a/.orchestration/x',
    '/w/project/.ORCHESTRATION/x',
    '/w/project/.Orchestration/x',
    '/w/project/\uff0eorchestration/x',
    '/w/project/.orche\u017ftration/x',
    '/w/project/.git/hooks/pre-commit',
    '/w/project/sub/.git/config',
    '/w/project/.git',
    '/w/project/.claude/settings.json',
    '/w/project/.claude/agents/x.md',
    '/w/project/.mcp.json',
    '/w/project/.MCP.JSON',
    '/w/project/.codex/config.toml',
    '/w/project/.gemini/settings.json',
    '/w/project/.github/hooks/x.json',
    '/w/project/.github/copilot/settings.json',
    '/w/project/.github/mcp.json',
    '/w/project/.github/agents/x.agent.md',
    '/w/project/.github/extensions/x/extension.mjs',
    '/home/me/.copilot/hooks/pactclaw.json',
    '/w/project/.clinerules/hooks/PreToolUse',
    '/w/project/.windsurf/hooks.json',
    '/home/me/.codeium/windsurf/hooks.json',
    '/etc/github-copilot/policy.d/x.json',
    '/etc/cursor/hooks.json',
    '/w/project/opencode.json',
    '/home/me/.pactclaw/config.toml',
    '/home/me/.claude.json',
    '/etc/claude-code/managed-settings.json',
    '/opt/pactclaw/dist/hook.cjs',
    '/opt/pactclaw/bin/pactclaw',
    '/opt/pactclaw/node_modules/zod/index.js',
  ])('%s is', (path) => {
    expect(protectedAs(path, ground)).not.toBeNull();
  });

  test.each([
    '/w/project/src/a.ts',
    '/w/project/orchestration/x',
    '/w/project/.orchestration.md',
    '/w/project/.orchestrations/x',
    '/w/project/.github/workflows/ci.yml',
    '/w/project/.gitignore',
    '/w/project/docs/.mcp.json.md',
    '/opt/pactclaw-other/dist/x',
    '/opt/pactclaw/src/a.ts',
  ])('%s is not', (path) => {
    expect(protectedAs(path, ground)).toBeNull();
  });

  describe.each(['/w/project/.claude/worktrees/x', '/home/me/.codex/worktrees/1a/x'])(
    'U-2: a work tree below a host’s own folder: %s',
    (root) => {
      const there = { ...ground, root };

      test.each(['src/a.ts', 'package.json'])('%s is free', (name) => {
        expect(protectedAs(`${root}/${name}`, there)).toBeNull();
      });

      test.each([
        `${root}/.claude/settings.json`,
        `${root}/.git`,
        `${root}/.orchestration/active_intents.yaml`,
        `${root}/../settings.json`.replace('/x/..', ''),
        `${root}-other/src/a.ts`,
        '/home/me/.claude/settings.json',
      ])('%s is protected', (file) => {
        expect(protectedAs(file, there)).not.toBeNull();
      });
    },
  );

  test('a workspace that is a host’s folder itself stays protected', () => {
    expect(
      protectedAs('/home/me/.claude/settings.json', { ...ground, root: '/home/me/.claude' }),
    ).not.toBeNull();
  });

  test('every sample is protected, and every case of it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...protectedSamples(ground)),
        fc.infiniteStream(fc.boolean()),
        (path, upper) => {
          const spelled = [...path].map((char) => (upper.next().value ? char.toUpperCase() : char)).join('');
          expect(protectedAs(spelled, ground)).not.toBeNull();
        },
      ),
    );
  });

  test('no file below a protected folder is free', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(protectedAs(`/w/project/.orchestration/${name}`, ground)).not.toBeNull();
      }),
    );
  });
});

test('mentionsProtected finds a name in any text', () => {
  expect(mentionsProtected('echo x > ".Orchestration"/y', '/w/.claude/worktrees/x')).toBe('.orchestration');
  expect(mentionsProtected('sed -i s/a/b/ ~/.claude/settings.json', '/w/.claude/worktrees/x')).toBe(
    '.claude',
  );
  expect(mentionsProtected('git commit -m orchestration', '/w/.claude/worktrees/x')).toBeNull();
  expect(mentionsProtected('cat .gitignore', '/w/.claude/worktrees/x')).toBeNull();
  expect(mentionsProtected('sh /w/.claude/worktrees/x/a.sh', '/w/.claude/worktrees/x')).toBeNull();
  expect(mentionsProtected('sh /w/.claude/worktrees/x/.pi/a', '/w/.claude/worktrees/x')).toBe('.pi');
  expect(mentionsProtected('sh /w/.claude/worktrees/x/../a', '/w/.claude/worktrees/x')).toBe('.claude');
});

test('folding is idempotent and makes compatible spellings one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(fold(fold(text))).toBe(fold(text));
      expect(fold(text.normalize('NFD'))).toBe(fold(text.normalize('NFC')));
    }),
  );
});
