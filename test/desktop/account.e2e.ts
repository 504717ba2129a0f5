import type { Desktop } from './driver.ts';
import { expect, png, test } from './fixtures.ts';

// The account that the tray uploads with, and the one signed in to the window.

const BOB = { username: 'bob', email: 'bob@example.org', password: 'a long password' };

/** Calls the API from the page, as the user who is signed in there. */
async function inPage<T>(desktop: Desktop, method: string, path: string, body?: object): Promise<T> {
  const response = await desktop.page.evaluate(
    async ({ method, path, text }) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`/api/v1${path}`, { method, headers, ...(text && { body: text }) });
      return response.json();
    },
    { method, path, text: body && JSON.stringify(body) },
  );
  expect(response).toMatchObject({ status: true });
  return response.data;
}

const names = async (desktop: Desktop) =>
  (await inPage<{ items: { name: string }[] }>(desktop, 'GET', '/images')).items.map(({ name }) => name);

test('the tray uploads to the chosen account, regardless of who is signed in to the window', async ({ desktop, image }) => {
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const { username: owner } = await inPage<{ username: string }>(desktop, 'GET', '/user');
  await inPage(desktop, 'POST', '/admin/users', BOB);
  await inPage(desktop, 'POST', '/auth/logout');
  await inPage(desktop, 'POST', '/auth/login', { login: BOB.username, password: BOB.password });
  await desktop.page.reload();
  await expect.poll(() => desktop.labels()).toContain(`Uploads go to ${owner}`);

  await desktop.copyOutside('image/png', await png('#1a6'));
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.clipboardText()).toMatch(/^http/);
  expect(await names(desktop)).toEqual([]);
  await expect
    .poll(() => desktop.labels('Recent uploads'))
    .toEqual(['Only this computer can open it', expect.stringMatching(/^clipboard-/), 'Send to…']);

  await desktop.page.getByRole('link', { name: 'Settings' }).click();
  await desktop.page.getByRole('link', { name: 'This computer' }).click();
  await desktop.page.getByRole('combobox', { name: 'Account for uploads' }).click();
  await desktop.page.getByRole('option', { name: 'bob' }).click();
  await expect.poll(() => desktop.labels()).toContain('Uploads go to bob');
  await desktop.choose(await image('for-bob.png', '#a61'));
  await desktop.press('Upload files…');
  await expect.poll(() => desktop.labels('Recent uploads')).toEqual(['Only this computer can open it', 'for-bob.png', 'Send to…']);
  expect(await names(desktop)).toEqual(['for-bob.png']);

  const sessions = await inPage<{ items: { user_agent: string }[] }>(desktop, 'GET', '/user/sessions');
  expect(sessions.items.map(({ user_agent }) => user_agent)).toContain('Pixdock on this computer');

  // The owner has no password to sign in with.
  await desktop.page.getByRole('navigation').getByRole('button', { name: 'Sign out' }).click();
  await desktop.page.getByRole('button', { name: 'Continue as the owner' }).click();
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  expect(await inPage(desktop, 'GET', '/user')).toMatchObject({ username: owner });
});
