import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { ADA } from '#test/helpers/screen/account.ts';
import { test } from '#test/helpers/screen/light.ts';
import { refuse } from '#test/helpers/screen/service.ts';

test('a wrong password is refused, and the right one leads to the page that was asked for', async ({ mount, left }) => {
  await mount('/albums', {
    user: null,
    api: {
      'POST /auth/login': ({ body }) => (body.password === 'right' ? { user: ADA, second_step: null } : refuse('unauthorized')),
    },
  });
  await page.getByLabelText('Username or email').fill('ada');
  await page.getByLabelText('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await page.getByLabelText('Password', { exact: true }).fill('right');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => left.splice(0)).toEqual(['/albums']);
});
