import { BOTH, CLAUDE_WORDS, type Footprint, files, folders, skills } from './footprint.ts';

/** Codex CLI (docs/hosts/codex.md). `config.toml` holds hooks, their trust, servers and the trust of projects. */
export const codexFootprint: Footprint = {
  host: 'codex',
  title: 'Codex',
  programs: ['codex'],
  marks: [{ prefix: 'CODEX_', except: ['CODEX_HOME', 'CODEX_ACCESS_TOKEN', 'CODEX_API_KEY'] }],
  names: ['.codex'],
  places: [
    ...files('runs', BOTH, ['.codex/hooks.json']),
    // The model is chosen in the client, which saves the choice and what it has shown.
    ...files('settings', BOTH, ['.codex/config.toml'], {
      free: [['model'], ['model_reasoning_effort'], ['notice'], ['tui']],
    }),
    ...files('instructs', BOTH, ['.codex/AGENTS.md', '.codex/AGENTS.override.md']),
    ...folders('instructs', BOTH, '.codex', ['prompts', 'rules']),
    ...folders('runs', ['project'], '.codex', ['plugins']),
    ...skills(BOTH, '.codex'),
  ],
  system: ['/etc/codex'],
  moved: [{ variable: 'CODEX_HOME', from: '.codex' }],
  lastWords: CLAUDE_WORDS,
};
