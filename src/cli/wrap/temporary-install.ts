import { PactError } from '../../core/errors.ts';
import { applyPlans } from '../../hosts/install/apply.ts';
import type { Scope } from '../../hosts/install/installer.ts';
import { planInstall, planUninstall } from '../../hosts/install/plan.ts';
import { readNotes } from '../../hosts/install/record.ts';
import { removeIfEmpty } from '../../platform/files.ts';
import { userFolder } from '../../platform/home.ts';
import { installerOf, machineFor } from '../commands/install.ts';
import { installFolder } from '../context.ts';

/** One host in one project. */
export interface Target {
  readonly host: string;
  readonly project: string;
}

function partsOf({ host, project }: Target, scope: Scope) {
  const wiring = { node: process.execPath, install: installFolder(), workspace: project };
  return installerOf(host).parts(machineFor(project), scope, wiring);
}

/** This person's own settings of the project where the host has such, else the project's. */
export function scopeFor(host: string): Scope {
  const { scopes } = installerOf(host);
  if (scopes.includes('local')) return 'local';
  if (scopes.includes('project')) return 'project';
  throw new PactError('INVALID_INPUT', `${host} has no settings for one project`, 'Use `pactclaw install`.');
}

/** Whether PactClaw's hooks stand in any of the host's settings already. */
export function isRegistered(target: Target): boolean {
  return installerOf(target.host).scopes.some((scope) => {
    const [hooks] = partsOf(target, scope);
    return hooks !== undefined && planUninstall([hooks], readNotes(userFolder()))[0]?.action !== 'none';
  });
}

/** Registers PactClaw for the time of a run. */
export function addRegistration(target: Target): void {
  const scope = scopeFor(target.host);
  installerOf(target.host).assertInstallable?.(machineFor(target.project), scope);
  applyPlans(planInstall(partsOf(target, scope), readNotes(userFolder())), userFolder());
}

/** Takes the registration out again: every byte of the host's files is as it was. */
export function removeRegistration(target: Target): void {
  const plans = planUninstall(partsOf(target, scopeFor(target.host)), readNotes(userFolder()));
  applyPlans(plans, userFolder()).forEach(removeIfEmpty);
}
