import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';

test('wrong calls from the page are rejected and logged, and the app keeps working', async ({ desktop, folder }) => {
  const { page } = desktop;
  await expect(page.getByRole('navigation')).toBeVisible();
  const accepted = await page.evaluate(async () => {
    const bridge = window.pixdock as unknown as Record<string, (...input: unknown[]) => Promise<unknown>>;
    const wrong: unknown[][] = [[null], [{ a: { b: [1] } }, 'more'], [[['nested']], 1], [1, 2, 3, 4, 5]];
    const accepted: string[] = [];
    for (const [name, call] of Object.entries(bridge)) {
      if (typeof call !== 'function' || /^on[A-Z]/.test(name)) continue;
      for (const input of wrong)
        await call(...input).then(
          () => accepted.push(name),
          () => undefined,
        );
    }
    await bridge.copyText?.('x'.repeat(5_000_000)).then(
      () => accepted.push('a huge text'),
      () => undefined,
    );
    return accepted;
  });
  expect(accepted).toEqual([]);
  expect(await page.evaluate(() => window.pixdock?.getVersion())).toMatch(/^\d/);
  expect(await readFile(join(folder, 'user/logs/main.log'), 'utf8')).toContain('The call setPreferences has an invalid argument');
});
