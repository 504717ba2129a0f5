import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { ADA } from '#test/helpers/screen/account.ts';
import { audit } from '#test/helpers/screen/audit.ts';
import { test } from '#test/helpers/screen/light.ts';
import { refuse } from '#test/helpers/screen/service.ts';

test('a wrong password is refused, and the right one leads to the page that was asked for', async ({ mount, left }) => {
  await mount('/albums', {
    user: null,
    api: {
      'POST /auth/login': ({ body }) => (body.password === 'right' ? { user: ADA, second_step: null } : refuse('unauthorized')),
    },
  });
  await signIn('wrong');
  await expect.element(page.getByRole('alert')).toBeVisible();
  await signIn('right');
  await expect.poll(() => left.splice(0)).toEqual(['/albums']);
});

test('sign-in never leads to another site', async ({ mount, left }) => {
  await mount('/sign-in?next=https%3A%2F%2Fexample.org%2F', { user: null, api: { 'POST /auth/login': { user: ADA, second_step: null } } });
  await signIn('right');
  await expect.poll(() => left.splice(0)).toEqual(['/']);
});

test('after too many failed sign-ins the page says when to try again, and what to do', async ({ mount }) => {
  await mount('/sign-in', { user: null, api: { 'POST /auth/login': refuse('rate_limited', { retry: 'later', retry_after: 300 }) } });
  await signIn('right');
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(
      'Too many failed sign-in attempts.Try again in 5 minutes. If you’ve forgotten your password, ask an administrator to set a new one.',
    );
});

test('a password that is easily guessed is shown as such while it is typed, and refused', async ({ mount, left }) => {
  const { service } = await mount('/setup#code=one-time', {
    user: null,
    config: { setup_required: true },
    api: {
      'POST /setup': ({ body }) =>
        body.password === 'aaaaaaaaaa' ? refuse('invalid_request', { field: 'password', problem: 'weak_password' }) : { user: ADA },
    },
  });
  const password = page.getByLabelText('Password', { exact: true });
  await expect.element(page.getByRole('textbox', { name: 'Setup code' })).toHaveValue('one-time');
  await page.getByLabelText('Username').fill('ada');
  await page.getByLabelText('Email').fill('ada@example.org');
  await password.fill('aaaaaaaaaa');
  await expect.element(page.getByText('Too easy to guess', { exact: true })).toBeVisible();
  await audit('a password that is easily guessed');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect.element(page.getByText('Use a few unrelated words, or let a password manager generate one.')).toBeVisible();
  await password.fill('correct horse battery');
  await expect.element(page.getByText('Strong', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect.poll(() => left.splice(0)).toEqual(['/']);
  expect(service.calls('POST /setup').at(-1)).toMatchObject({ body: { username: 'ada', setup_code: 'one-time' } });
});

async function signIn(password: string) {
  await page.getByLabelText('Username or email').fill('ada');
  await page.getByLabelText('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
