import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod';
import { messageOf } from '../core/errors.ts';
import { MAX_IDENTICAL_CALLS, MAX_SCOPE_FILES } from '../core/words.ts';
import { DEFAULT_POLICY, type Policy } from './policy.ts';

const serve = z.enum(['auto', 'off']).optional();
const argumentNames = z.array(z.string().min(1)).min(1);

/** Strict, because a misspelt key must not turn a write into a read. */
const mcpToolSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('read'), paths: argumentNames.optional() }),
  z.strictObject({ kind: z.literal('network') }),
  z.strictObject({ kind: z.enum(['write', 'delete']), paths: argumentNames }),
  z.strictObject({ kind: z.literal('move'), from: argumentNames, to: argumentNames }),
  z.strictObject({ kind: z.literal('execute'), command: z.string().min(1) }),
]);

/** `.orchestration/config.yaml`. Limits of the handshake may be lowered here, never raised (C-31). */
const workspaceSchema = z.looseObject({
  serve,
  handshake: z.looseObject({ per: z.enum(['request', 'session']).optional() }).nullish(),
  execution: z.strictObject({ mode: z.enum(['auto', 'contained', 'watched']).optional() }).nullish(),
  shell: z.looseObject({ background: z.enum(['allow', 'deny']).optional() }).nullish(),
  limits: z
    .looseObject({
      max_turns: z.int().min(1).optional(),
      max_tokens: z.int().min(1).optional(),
      max_identical_calls: z.int().min(1).max(MAX_IDENTICAL_CALLS).optional(),
      max_scope_files: z.int().min(1).max(MAX_SCOPE_FILES).optional(),
    })
    .nullish(),
  mcp: z
    .strictObject({
      tools: z
        .record(z.string().regex(/^[^/]+\/.+$/, 'must be written SERVER/TOOL'), mcpToolSchema)
        .nullish(),
    })
    .nullish(),
});

/** The part of `~/.pactclaw/config.toml` that the hook engine reads. */
const userSchema = z.looseObject({
  serve,
  log: z
    .looseObject({
      file: z
        .string()
        .regex(/^(\/|~\/)/, 'must be absolute, or begin with ~/')
        .optional(),
    })
    .optional(),
  security: z.looseObject({ forbidden_paths: z.array(z.string()).optional() }).optional(),
});

/** A settings file as read: what it sets, or everything that is wrong with it. */
export interface ParsedPolicy {
  readonly values: Partial<Policy>;
  readonly problems: readonly string[];
}

function problemsOf(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
}

/** Leaves out what was not set, so that defaults show through. */
function compact(values: { readonly [K in keyof Policy]?: Policy[K] | undefined }): Partial<Policy> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function rulesOf(tools: Readonly<Record<string, z.infer<typeof mcpToolSchema>>>): Policy['mcpTools'] {
  return Object.fromEntries(
    Object.entries(tools).map(([name, rule]) => [
      name,
      rule.kind === 'read' ? { kind: 'read', paths: rule.paths ?? [] } : rule,
    ]),
  );
}

/** Reads `config.yaml`; never throws. */
export function parseWorkspacePolicy(text: string): ParsedPolicy {
  let raw: unknown;
  try {
    raw = parseYaml(text, { maxAliasCount: 100, logLevel: 'error' }) ?? {};
  } catch (error) {
    return { values: {}, problems: [messageOf(error).split('\n')[0] ?? 'cannot be parsed'] };
  }
  const parsed = workspaceSchema.safeParse(raw);
  if (!parsed.success) return { values: {}, problems: problemsOf(parsed.error) };
  const { handshake, shell, limits, mcp, serve, execution } = parsed.data;
  return {
    values: compact({
      serve,
      execution: execution?.mode,
      handshakePer: handshake?.per,
      allowBackground: shell?.background === undefined ? undefined : shell.background === 'allow',
      maxTurns: limits?.max_turns,
      maxTokens: limits?.max_tokens,
      maxIdenticalCalls: limits?.max_identical_calls,
      maxScopeFiles: limits?.max_scope_files,
      mcpTools: mcp?.tools ? rulesOf(mcp.tools) : undefined,
    }),
    problems: [],
  };
}

/** Reads `config.toml`; never throws. */
export function parseUserPolicy(text: string): ParsedPolicy {
  try {
    const parsed = userSchema.safeParse(parseToml(text));
    if (!parsed.success) return { values: {}, problems: problemsOf(parsed.error) };
    const { security, serve, log } = parsed.data;
    const values = compact({ forbiddenPaths: security?.forbidden_paths, serve, logFile: log?.file });
    return { values, problems: [] };
  } catch (error) {
    return { values: {}, problems: [messageOf(error).split('\n')[0] ?? 'cannot be parsed'] };
  }
}

/** The settings that hold: defaults, then the user's, then the workspace's. Either may switch the resident engine off. */
export function mergePolicy(user: Partial<Policy>, workspace: Partial<Policy>): Policy {
  const merged = { ...DEFAULT_POLICY, ...user, ...workspace };
  return user.serve === 'off' ? { ...merged, serve: 'off' } : merged;
}
