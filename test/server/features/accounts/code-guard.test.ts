import { expect, it } from 'vitest';
import { createCodeGuard } from '#server/features/accounts/two-factor/code-guard.ts';
import type { Limits } from '#server/platform/limits/limits.ts';
import { volatileLimits } from '#test/helpers/limits.ts';

it('counts accounts where nothing is pushed out, and devices, which clients can make up, elsewhere', async () => {
  const counted: [key: string, keepsAll: boolean | undefined][] = [];
  const { counter } = volatileLimits();
  const limits: Limits = {
    counter(name, options) {
      const real = counter(name, options);
      return Object.assign(Object.create(real), {
        penalty(key: string) {
          counted.push([key, options.keepsAll]);
          return real.penalty(key);
        },
      });
    },
  };
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
