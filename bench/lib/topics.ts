import type { Bench } from './context.ts';

interface Topic {
  readonly title: string;
  /** Needs `dist/`, because it runs processes. */
  readonly needsBuild: boolean;
  /** Takes so long that it must be asked for by name. */
  readonly onlyNamed?: boolean;
  readonly load: () => Promise<{ readonly run: Bench }>;
}

/** Every benchmark by its name, in the order of a full run. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  decision: {
    title: 'a decision on facts in hand',
    needsBuild: false,
    load: () => import('../decision.ts'),
  },
  hook: {
    title: 'the hook as a fresh process',
    needsBuild: true,
    load: () => import('../hook.ts'),
  },
  append: {
    title: 'durable appends',
    needsBuild: false,
    load: () => import('../append.ts'),
  },
  length: {
    title: 'cost against the length of the ledger',
    needsBuild: true,
    load: () => import('../length.ts'),
  },
  verify: {
    title: 'replaying a chain',
    needsBuild: false,
    load: () => import('../verify.ts'),
  },
  why: {
    title: 'why a line exists',
    needsBuild: false,
    load: () => import('../why.ts'),
  },
  handshake: {
    title: 'a whole handshake on a long ledger',
    needsBuild: true,
    load: () => import('../handshake.ts'),
  },
  'fail-safe': {
    title: 'from broken state to refusal',
    needsBuild: true,
    load: () => import('../fail-safe.ts'),
  },
  snapshot: {
    title: 'a snapshot of the work tree',
    needsBuild: false,
    load: () => import('../snapshot.ts'),
  },
  serve: {
    title: 'the resident engine under many sessions',
    needsBuild: true,
    load: () => import('../serve.ts'),
  },
  api: {
    title: 'a governed call through the TypeScript API',
    needsBuild: false,
    load: () => import('../api.ts'),
  },
  mcp: {
    title: 'a tool call through the MCP proxy',
    needsBuild: true,
    load: () => import('../mcp.ts'),
  },
  llm: {
    title: 'the LLM proxy against a plain pass-through',
    needsBuild: true,
    load: () => import('../llm.ts'),
  },
  soak: {
    title: 'memory under a steady load',
    needsBuild: true,
    onlyNamed: true,
    load: () => import('../soak.ts'),
  },
};
