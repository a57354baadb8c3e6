import { describe, expect, it } from 'vitest';
import { provenCapabilities } from '../../src/hosts/shared/verify/proofs.ts';
import { type ClientName, PINS } from '../e2e/support/clients/pins.ts';
import { HOSTS } from '../e2e/support/hosts.ts';

/** What `verify` calls proven must be what the end-to-end suite runs, with the very version that it runs. */
describe.each(Object.keys(PINS) as ClientName[])('%s', (name) => {
  it('is proven in the pinned version when the shared suite runs it, and in no other', () => {
    const runs = HOSTS.some(({ host }) => host === name);
    expect(provenCapabilities(name, PINS[name].version).has('fail-closed')).toBe(runs);
    expect(provenCapabilities(name, '0.0.1').size).toBe(0);
  });
});
