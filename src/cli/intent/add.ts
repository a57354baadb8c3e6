import { faultOf } from '../../core/breadth.ts';
import { PactError } from '../../core/errors.ts';
import type { Intent } from '../../core/intent.ts';
import type { Layout } from '../../core/layout.ts';
import { parseIntents } from '../../orchestration/parse-intents.ts';
import { readRegistryBytes } from '../../orchestration/registry.ts';
import { replaceFile } from '../../platform/durable-files.ts';
import type { CommonOptions } from '../command.ts';
import { openWorkspace } from '../context.ts';
import { assertHuman } from '../humans-only.ts';
import { addIntent, type NewIntent } from '../intent-splice.ts';
import { logEvent } from '../operator-log.ts';
import { plural, say, sayJson } from '../output.ts';
import { withState } from '../state.ts';
import { scopeRemark } from './report.ts';

export interface AddOptions extends CommonOptions {
  readonly id?: string;
  readonly name: string;
  readonly scope: readonly string[];
  readonly constraint?: readonly string[];
  readonly accept?: readonly string[];
  readonly maxTurns?: number;
  readonly maxTokens?: number;
}

/** The ID after the highest INT-n. */
function nextId(intents: readonly Intent[]): string {
  const numbers = intents.map(({ id }) => Number(/^INT-(\d{1,9})$/.exec(id)?.[1] ?? 0));
  return `INT-${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`;
}

function refuse(message: string, remedy: string): PactError {
  return new PactError('VALIDATION_ERROR', message, remedy);
}

function toIntent(options: AddOptions, intents: readonly Intent[]): NewIntent {
  const { id = nextId(intents), name, scope, constraint, accept, maxTurns, maxTokens } = options;
  const twin = intents.find((one) => one.id === id);
  if (twin)
    throw refuse(
      `there is an intent ${id} already (line ${twin.line})`,
      'Choose another --id, or leave it out.',
    );
  const fault = faultOf(scope);
  if (fault)
    throw refuse(
      `Scope too broad: ${fault.glob} ${fault.why}`,
      'Name the folders or files that the work needs.',
    );
  return {
    id,
    name,
    ownedScope: scope,
    constraints: constraint ?? [],
    acceptanceCriteria: accept ?? [],
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** The file's new text, or an error; nothing is written that the engine would refuse to let anyone select. */
function planText(
  layout: Layout,
  options: AddOptions,
  policy: Parameters<typeof scopeRemark>[2],
): { id: string; text: string } {
  const old = readRegistryBytes(layout).toString('utf8');
  const wanted = toIntent(options, parseIntents(Buffer.from(old)).intents);
  const text = addIntent(old, wanted);
  const added = parseIntents(Buffer.from(text)).intents.find(({ id }) => id === wanted.id);
  const remark = added && scopeRemark(layout.root, added, policy);
  if (remark?.level === 'error')
    throw refuse(remark.message, 'Narrow --scope; a leading ! takes files out again.');
  return { id: wanted.id, text };
}

/** `pactclaw intent add`: appends an intent to the human's file and leaves every byte of it (H-47). */
export function add(options: AddOptions): Promise<void> {
  assertHuman('`pactclaw intent add`');
  const { layout, ...rest } = openWorkspace(options.workspace);
  return withState({ layout, ...rest }, ({ store, policy }) => {
    const id = store.transact(() => {
      const planned = planText(layout, options, policy);
      replaceFile(layout.intents, planned.text, { durable: true });
      return planned.id;
    });
    logEvent('info', 'intent_added', { intent_id: id });
    if (options.json) return sayJson({ added: id, file: layout.intents });
    say(`added ${id} with ${plural(options.scope.length, 'glob')}; agents can select it now`);
  });
}
