import { type Intent, isSelectable } from '../../core/intent.ts';
import { readBrain } from '../../orchestration/brain.ts';
import { actionText, interceptText } from '../../orchestration/context-text.ts';
import { readSteady } from '../../platform/steady-file.ts';
import type { Workspace } from '../workspace.ts';

function textOf(file: string): string {
  return readSteady(file)?.toString('utf8') ?? '';
}

/**
 * What an agent is told before the handshake: the open intents and, when a session begins, the constitution and the
 * soul (H-40, H-49). Later requests of the session do not repeat those two: their words cost tokens each time.
 */
export function interceptContext(
  workspace: Workspace,
  intents: readonly Intent[],
  house: 'with house texts' | 'intents only',
): string {
  const whole = house === 'with house texts';
  return interceptText({
    selectable: intents.filter(({ status, scope }) => isSelectable(status) && scope.fault === null),
    constitution: whole ? textOf(workspace.layout.constitution) : '',
    soul: whole ? textOf(workspace.layout.soul) : '',
  });
}

/** What an agent is told while it acts: its intent's scope and constraints and the house's guidelines (H-109). */
export function actionContext(
  workspace: Workspace,
  intents: readonly Intent[],
  intentId: string | null,
): string | null {
  const intent = intents.find(({ id }) => id === intentId);
  return intent ? actionText({ intent, guidelines: readBrain(workspace.layout).guidelines }) : null;
}
