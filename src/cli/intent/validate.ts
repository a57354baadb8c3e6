import path from 'node:path';
import { compilePolicy, readPolicySources } from '../../config/load-policy.ts';
import { DEFAULT_POLICY, type Policy } from '../../config/policy.ts';
import type { Layout } from '../../core/layout.ts';
import { parseIntents } from '../../orchestration/parse-intents.ts';
import { readRegistryBytes } from '../../orchestration/registry.ts';
import type { CommonOptions } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { clean, paint, plural, say, sayJson } from '../output.ts';
import { EXIT } from '../run.ts';
import { type Remark, scopeRemark } from './report.ts';

async function policyOf(layout: Layout): Promise<Policy> {
  try {
    return await compilePolicy(readPolicySources(layout));
  } catch {
    // Broken settings are another file's fault; `status` tells of it.
    return DEFAULT_POLICY;
  }
}

/** Everything there is to say about the file, in the order of its lines. */
async function remarksOn(layout: Layout): Promise<{ remarks: Remark[]; intents: number }> {
  const { intents, problems, warnings } = parseIntents(readRegistryBytes(layout));
  const policy = await policyOf(layout);
  const remarks: Remark[] = [
    ...problems.map((one) => ({ level: 'error' as const, ...one })),
    ...warnings.map((one) => ({ level: 'warning' as const, ...one })),
    ...intents.flatMap((intent) => scopeRemark(layout.root, intent, policy) ?? []),
  ];
  return { remarks: remarks.sort((a, b) => a.line - b.line), intents: intents.length };
}

/** `pactclaw intent validate` (H-42, H-43, H-51, H-52, H-54): needs no state, so that it works in fail-safe too. */
export async function validate(options: CommonOptions): Promise<void> {
  const { layout } = openWorkspace(options.workspace);
  const { remarks, intents } = await remarksOn(layout);
  const errors = remarks.filter(({ level }) => level === 'error').length;
  const file = path.relative(process.cwd(), layout.intents);
  if (errors > 0) process.exitCode = EXIT.failed;
  if (options.json) return sayJson({ valid: errors === 0, file, intents, remarks });
  for (const { level, line, message } of remarks)
    say(
      `${file}:${line}: ${level === 'error' ? paint.red('error') : paint.yellow('warning')}: ${clean(message)}`,
    );
  const warned = remarks.length - errors;
  if (errors > 0) say(`${plural(errors, 'error')}, ${plural(warned, 'warning')}`);
  else
    say(
      paint.green(`valid: ${plural(intents, 'intent')}${warned > 0 ? `, ${plural(warned, 'warning')}` : ''}`),
    );
}
