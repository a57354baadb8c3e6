import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../../../src/core/decide.ts';
import type { ResolvedTarget } from '../../../src/core/facts.ts';
import type { Intent } from '../../../src/core/intent.ts';
import { judgeChange } from '../../../src/core/rules/judge-change.ts';
import type { TargetRole } from '../../../src/core/tool-call.ts';
import { INSTALLED_RULES } from '../../../src/hooks/pipeline.ts';
import { facts, intent, session, target } from '../../support/facts.ts';

const changing = fc.constantFrom<TargetRole>('write', 'delete', 'move-from', 'move-to');
const segment = fc.constantFrom(
  'src',
  'components',
  'a.ts',
  '.claude',
  'keys',
  '[id]',
  '!x',
  'é',
  'b.test.ts',
);
const path = fc.array(segment, { maxLength: 4 }).map((parts) => parts.join('/'));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, value);
const owner = fc
  .constantFrom('INT-001', 'INT-002')
  .map((id) => ({ intentId: id, intentName: `Work of ${id}` }));
const globs = fc.subarray(['src/**', 'src/components/**', '!src/**/*.test.ts', 'src/a.ts', 'keys/*'], {
  minLength: 1,
});

const changes: fc.Arbitrary<ResolvedTarget> = fc
  .record({
    relative: fc.oneof({ weight: 5, arbitrary: path }, fc.constant(null)),
    role: changing,
    protectedAs: maybe(fc.constant('governance state')),
    forbiddenBy: maybe(fc.constant('~/keys')),
    problem: maybe(fc.constant('its content cannot be watched')),
    owner: maybe(owner),
  })
  .map(({ relative, role, ...more }) => target(relative, role, more));

const intents: fc.Arbitrary<Intent> = globs.map((list) => intent({}, list));

test('F-8: a change is refused exactly when a call that names its path is, and by the same rule', () => {
  fc.assert(
    fc.property(changes, intents, (change, work) => {
      const named = decide(facts({ targets: [change], intent: work }), INSTALLED_RULES);
      const found = judgeChange(change, work);
      if (work.scope.fault) expect([found !== null, named.verdict]).toEqual([true, 'deny']);
      else expect(found?.sentence ?? null).toBe(named.refusal?.sentence ?? null);
    }),
  );
});

test('a change inside the scope is allowed, and for an intent that a human has closed meanwhile too', () => {
  expect(judgeChange(target('src/components/a.ts'), intent())).toBeNull();
  expect(judgeChange(target('src/components/a.ts'), intent({ status: 'COMPLETED' }))).toBeNull();
});

test('without an intent every change is refused', () => {
  fc.assert(fc.property(changes, (change) => judgeChange(change, null) !== null));
});

test('a fact that cannot be read refuses', () => {
  const broken = (key: keyof ResolvedTarget): ResolvedTarget =>
    new Proxy(target('src/components/a.ts'), {
      get(object, property) {
        if (property === key) throw new Error(`${key} cannot be read`);
        return Reflect.get(object, property);
      },
    });
  for (const key of ['protectedAs', 'relative', 'problem', 'owner', 'forbiddenBy'] as const)
    expect(judgeChange(broken(key), intent())?.finding).toContain('cannot be judged');
});

test('the intent that owns a file may change it; the session of another may not', () => {
  const owned = target('src/components/a.ts', 'write', { owner: { intentId: 'INT-001', intentName: 'C' } });
  expect(judgeChange(owned, intent())).toBeNull();
  expect(judgeChange(owned, intent({ id: 'INT-002' }))?.finding).toBe('is owned by Intent INT-001');
  const asked = facts({
    targets: [owned],
    session: session({ intentId: 'INT-002' }),
    intent: intent({ id: 'INT-002' }),
  });
  expect(decide(asked, INSTALLED_RULES).refusedBy).toBe('ownership');
});
