import type { Trial } from '../../src/hosts/shared/verify/verifier.ts';

/** What is asked of every door: the trials of `pactclaw verify`, and two more that not every host has a tool for. */
export type Ask =
  | Trial
  | { readonly does: 'delete'; readonly file: string }
  | { readonly does: 'fetch'; readonly url: string };

/** One call of the corpus. `about` says what is special of the path, the command or the intent that it names. */
export interface Case {
  readonly about: string;
  readonly ask: Ask;
}

/** Paths by what makes them hard. `ROOT` stands for the workspace's folder. */
export const PATHS: Readonly<Record<string, string>> = {
  'in scope': 'src/components/a.ts',
  'in scope, new': 'src/components/new.ts',
  'in scope, new folders': 'src/components/deep/er/x.ts',
  'in scope, dots and slashes': './src/components//a.ts',
  'in scope, absolute': 'ROOT/src/components/a.ts',
  'in scope by way of ..': 'src/pages/../components/a.ts',
  'in the scope of another intent': 'src/pages/p.ts',
  'held by another intent': 'src/components/held.ts',
  'out of scope': 'src/secret.ts',
  'out of scope by way of ..': 'src/components/../secret.ts',
  'out of scope, at the top': 'README.md',
  'outside by way of ..': '../outside.ts',
  'outside, absolute': '/etc/hosts',
  'outside, by a linked folder': 'src/link/x.ts',
  'out of scope, by a link in scope': 'src/components/to-secret.ts',
  'by a link that leads nowhere': 'src/components/dangling.ts',
  'twin in other case': 'src/Components/a.ts',
  'twin in decomposed Unicode': 'src/components/caf\u0065\u0301.ts',
  'governing file': '.orchestration/active_intents.yaml',
  'governing file in other case': '.Orchestration/state.db',
  'governing file with a long s': '.orche\u017ftration/active_intents.yaml',
  'governing file with a joiner': '.orches\u200ctration/active_intents.yaml',
  'governing file of the user': 'HOME/.pactclaw/config.toml',
  'hook of git': '.git/hooks/pre-commit',
  'settings of a host': '.claude/settings.json',
  'with a NUL': 'src/components/a\u0000.ts',
  'with a newline': 'src/components/a\n.ts',
  'with a backslash': 'src\\components\\a.ts',
  'with a glob': 'src/components/*.ts',
  'with a blank at the end': 'src/components/a.ts ',
  'with a scheme': 'file:///etc/hosts',
  'too long for a file system': `src/components/${'x'.repeat(5_000)}`,
};

/** Paths that are also edited and deleted: one of each answer. */
const CHANGED = [
  'in scope',
  'in scope, new',
  'in the scope of another intent',
  'held by another intent',
  'out of scope by way of ..',
  'outside, absolute',
  'out of scope, by a link in scope',
  'governing file in other case',
  'with a NUL',
  'with a newline',
];

const COMMANDS: Readonly<Record<string, string>> = {
  'that reads': 'ls src',
  'of git that reads': 'git status',
  'that writes in scope': 'echo x > src/components/a.ts',
  'that writes out of scope': 'echo x > src/secret.ts',
  'that changes its folder first': 'cd src && rm secret.ts',
  'that deletes the state': 'rm -rf .orchestration',
  'that asks PactClaw': 'pactclaw status',
  'that administers PactClaw': 'pactclaw uninstall claude-code',
  'whose paths are variables': 'cat $A > $B',
  'that goes on in the background': 'sleep 5 &',
  'in another shell': "bash -c 'echo x > src/secret.ts'",
  'by a link in scope': 'echo x > src/components/to-secret.ts',
  'with a newline': 'ls src\nrm src/secret.ts',
  'that no shell can read': 'echo "x',
};

const HANDSHAKES: Readonly<Record<string, string>> = {
  'of an open intent': 'INT-001',
  'of another open intent': 'INT-002',
  'of a completed intent': 'INT-004',
  'of a blocked intent': 'INT-005',
  'of an intent that is not there': 'INT-009',
  'of no identifier': '../INT-001',
};

function placed(file: string, root: string, home: string): string {
  return file.replace(/^ROOT(?=\/)/, root).replace(/^HOME(?=\/)/, home);
}

/** Every call, for a workspace: tools × paths, commands, handshakes. */
export function corpusFor({ root, home }: { readonly root: string; readonly home: string }): Case[] {
  const files = Object.entries(PATHS).map(([about, file]) => ({ about, file: placed(file, root, home) }));
  return [
    ...files.flatMap(({ about, file }): Case[] => [
      { about, ask: { does: 'write', file, content: 'x' } },
      { about, ask: { does: 'read', file } },
      { about, ask: { does: 'undeclared', file } },
      ...(CHANGED.includes(about)
        ? ([
            { about, ask: { does: 'edit', file } },
            { about, ask: { does: 'delete', file } },
          ] satisfies Case[])
        : []),
    ]),
    ...Object.entries(COMMANDS).map(([about, command]): Case => ({ about, ask: { does: 'shell', command } })),
    ...Object.entries(HANDSHAKES).map(
      ([about, intentId]): Case => ({ about, ask: { does: 'handshake', intentId } }),
    ),
    { about: 'of a page', ask: { does: 'fetch', url: 'https://example.org/page' } },
  ];
}
