import { expect, it } from 'vitest';
import { createCodeGuard } from '#server/features/accounts/two-factor/code-guard.ts';
import { watchedLimits } from '#test/helpers/service/limits.ts';

it('counts accounts where nothing is pushed out, and devices, which clients can make up, elsewhere', async () => {
  const { limits, counted } = watchedLimits();
  const guard = createCodeGuard(limits);
  await guard.check(1, undefined, async () => undefined);
  await guard.check(2, 'device x', async () => undefined);
  expect(counted).toEqual([
    ['account 1', true],
    ['account 1', true],
    ['account 2 device x', false],
    ['account 2 device x', false],
  ]);
});
