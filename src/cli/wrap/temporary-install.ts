import { applyPlans } from '../../hosts/shared/install/apply.ts';
import { partsFor } from '../../hosts/shared/install/exclude-part.ts';
import type { Scope } from '../../hosts/shared/install/installer.ts';
import { planInstall, planUninstall } from '../../hosts/shared/install/plan.ts';
import { readNotes } from '../../hosts/shared/install/record.ts';
import { removeIfEmpty } from '../../platform/files.ts';
import { userFolder } from '../../platform/home.ts';
import { machineFor } from '../commands/install.ts';
import { installFolder } from '../context.ts';
import { installerOf } from '../installers.ts';

/** One host in one project. */
export interface Target {
  readonly host: string;
  readonly project: string;
}

function partsOf({ host, project }: Target, scope: Scope) {
  // In settings for all projects each session's own folder tells its workspace.
  const workspace = scope === 'user' ? null : project;
  const wiring = { node: process.execPath, install: installFolder(), workspace };
  return partsFor(installerOf(host), machineFor(project), scope, wiring);
}

/** This person's own settings of the project where the host has such, else the project's, else all that it has. */
export function scopeFor(host: string): Scope {
  const { scopes } = installerOf(host);
  if (scopes.includes('local')) return 'local';
  if (scopes.includes('project')) return 'project';
  return 'user';
}

/** Whether two runs stand on the same registration. */
export function shareRegistration(a: Target, b: Target): boolean {
  return a.host === b.host && (a.project === b.project || scopeFor(a.host) === 'user');
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

/** Removes the registration and restores every byte of the host's files. */
export function removeRegistration(target: Target): void {
  const plans = planUninstall(partsOf(target, scopeFor(target.host)), readNotes(userFolder()));
  applyPlans(plans, userFolder()).forEach(removeIfEmpty);
}
