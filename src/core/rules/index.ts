import type { Rule } from '../ruling.ts';
import { breadthRule } from './breadth.ts';
import { budgetRule } from './budget.ts';
import { estopRule } from './estop.ts';
import { failSafeRule } from './fail-safe.ts';
import { handshakeRule } from './handshake.ts';
import { intentStatusRule } from './intent-status.ts';
import { loopBreakerRule } from './loop-breaker.ts';
import { ownershipRule } from './ownership.ts';
import { scopeRule } from './scope.ts';
import { securityPolicyRule } from './security-policy.ts';
import { selfProtectionRule } from './self-protection.ts';
import { stateRule } from './state.ts';

/** Every rule in the order it is asked (H-25). Adding a rule is a file here and its place in this list. */
export const RULES: readonly Rule[] = [
  failSafeRule,
  estopRule,
  stateRule,
  intentStatusRule,
  handshakeRule,
  budgetRule,
  loopBreakerRule,
  breadthRule,
  selfProtectionRule,
  scopeRule,
  ownershipRule,
  securityPolicyRule,
];
