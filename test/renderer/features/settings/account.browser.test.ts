import { expect } from 'vitest';
import { page } from 'vitest/browser';
import type { PhoneState } from '#api/auth/phones.ts';
import type { Token } from '#api/auth/tokens.ts';
import type { Session } from '#api/auth/user.ts';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { audit, checkPage } from '#test/helpers/screen/audit.ts';
import { nextNumber, pageOf } from '#test/helpers/screen/library.ts';
import { textsOf } from '#test/helpers/screen/locators.ts';
import { type Api, refuse } from '#test/helpers/screen/service.ts';

const NOW = new Date().toISOString();
const LATER = new Date(Date.now() + 86_400_000).toISOString();

/** What the account's page asks for beside the account. */
const SECURITY: Api = {
  'GET /user/passkeys': { available: false, passkeys: [] },
  'GET /user/two-factor': { enabled_at: null, recovery_codes_left: 0, required: false },
  'GET /user/sign-on': { available: false, links: [] },
};

/** As the service writes those of sessions and tokens. */
const anId = () => String(nextNumber()).padStart(12, 'a');

const aSession = (user_agent: string, current = false): Session => ({
  id: anId(),
  address: '192.0.2.1',
  user_agent,
  created_at: NOW,
  last_seen_at: NOW,
  expires_at: LATER,
  current,
});

const aToken = (changes: Partial<Token>): Token => ({
  id: anId(),
  name: 'A token',
  scope: 'upload',
  created_at: NOW,
  last_used_at: null,
  expires_at: null,
  ...changes,
});

test('name, email and password are changed; a wrong password is rejected with a message', async ({ mount }) => {
  const { library, service } = await mount('/settings/account', { api: SECURITY });
  service.handle({
    'PATCH /user': ({ body: { current_password, ...changes } }) => {
      if (changes.email && current_password !== 'correct horse battery') return refuse('wrong_password', { field: 'current_password' });
      library.user = Object.assign(library.signedIn(), changes);
      return { ...library.signedIn(), group: 'Default', preferences: library.preferences, recognize_text: true };
    },
    'PUT /user/password': {},
  });
  library.user = { ...library.signedIn() };
  await page.getByRole('button', { name: 'Change: Username' }).click();
  await page.getByRole('dialog').getByLabelText('Username').fill('grace');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByRole('link', { name: 'Account: grace' })).toBeVisible();

  await page.getByRole('button', { name: 'Change: Email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change your email address' });
  const current = dialog.getByRole('textbox', { name: 'Current password' });
  await dialog.getByLabelText('Email').fill('grace@example.org');
  await current.fill('not the password');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(current).toHaveAccessibleDescription('Refused: wrong_password.');
  await current.fill('correct horse battery');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(library.user).toMatchObject({ username: 'grace', email: 'grace@example.org' });

  await page.getByRole('button', { name: 'Change: Password' }).click();
  const change = page.getByRole('dialog', { name: 'Change your password' });
  await change.getByRole('textbox', { name: 'Current password' }).fill('correct horse battery');
  await change.getByRole('textbox', { name: 'New password' }).fill('a much better password');
  await change.getByRole('checkbox', { name: 'Also revoke all API tokens' }).click();
  await change.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('Password changed')).toBeVisible();
  expect(service.calls('PUT /user/password').map(({ body }) => body)).toEqual([
    { current_password: 'correct horse battery', new_password: 'a much better password', revoke_tokens: true },
  ]);
  await expect.element(page.getByRole('link', { name: 'Download everything' })).toHaveAttribute('href', '/api/v1/user/export');
});

test('passkeys are not offered at an address without https, and the settings say why', async ({ mount }) => {
  await mount('/settings/account', { api: SECURITY });
  await expect.element(page.getByText('To add one, open this site at an https address')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Add passkey' })).not.toBeInTheDocument();
});

test('sessions are listed by browser and ended individually, all others at once, or together with all tokens', async ({ mount }) => {
  const firefox = 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0';
  let sessions = [aSession(navigator.userAgent, true), aSession(firefox), aSession(firefox), aSession(firefox)];
  let tokens = [aToken({ name: 'Laptop' })];
  const { reopen } = await mount('/settings/sessions', {
    api: {
      'GET /user/sessions': () => pageOf(sessions),
      'GET /user/tokens': () => pageOf(tokens),
      'DELETE /user/sessions/:id': ({ params }) => {
        sessions = sessions.filter(({ id }) => id !== params.id);
        return {};
      },
      'DELETE /user/sessions': () => {
        sessions = sessions.filter(({ current }) => current);
        return {};
      },
      'DELETE /user/access': () => {
        const ended = { sessions: sessions.length - 1, tokens: tokens.length };
        sessions = sessions.filter(({ current }) => current);
        tokens = [];
        return ended;
      },
    },
  });
  const rows = page.getByRole('list', { name: 'Your sessions' }).getByRole('listitem');
  await expect.element(rows).toHaveLength(4);
  await expect.element(rows.filter({ hasText: 'This session' })).toHaveLength(1);
  await audit('sessions');
  await page.getByRole('button', { name: 'Sign out Firefox · Windows' }).first().click();
  await expect.element(rows).toHaveLength(3);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect.element(rows).toHaveLength(1);
  expect(sessions).toHaveLength(1);

  sessions.push(aSession(firefox));
  await reopen();
  await expect.element(rows).toHaveLength(2);
  await expect.element(page.getByRole('list', { name: 'Your tokens' }).getByRole('listitem')).toHaveLength(1);
  await audit('sessions and tokens');
  await page.getByRole('button', { name: 'Sign out and revoke tokens' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out and revoke tokens' }).click();
  await expect.element(page.getByRole('button', { name: 'Sign out and revoke tokens' })).not.toBeInTheDocument();
  await expect.element(rows).toHaveLength(1);
  expect(tokens).toEqual([]);
});

test('admins can create a token that only reads metrics, which needs no settings for uploading', async ({ mount }) => {
  const tokens: Token[] = [];
  const secret = `pxd_${'a'.repeat(43)}`;
  await mount('/settings/tokens', {
    api: {
      'GET /user/tokens': () => pageOf(tokens),
      'POST /user/tokens': ({ body: { name, scope } }) => {
        tokens.push(aToken({ name, scope }));
        return { ...aToken({ name, scope }), token: secret };
      },
    },
  });
  await page.getByRole('button', { name: 'Create token' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create token' });
  await form.getByLabelText('Name').fill('Prometheus');
  await form.getByRole('radio', { name: 'Metrics only' }).click();
  await form.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy your new token now' });
  await expect.element(shown.getByTestId('shown-once')).toHaveTextContent(secret);
  await expect.element(shown.getByRole('tab')).not.toBeInTheDocument();
  await shown.getByRole('button', { name: 'I’ve saved the token' }).click();
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Prometheus' })).toMatchTextContent('Metrics only');
});

test('a code of a device is typed, corrected, and the device denied', async ({ mount }) => {
  const request = {
    name: 'Unknown laptop',
    scope: 'upload',
    user_code: 'K7QM-3XWD',
    address: '192.0.2.7',
    same_network: true,
    created_at: NOW,
    expires_at: LATER,
  } as const;
  const { service } = await mount('/settings/tokens', {
    api: {
      'GET /user/tokens': pageOf([]),
      'POST /device/find': ({ body }) => (body.user_code === 'k7qm3xwd' ? request : refuse('not_found')),
      'POST /device/decision': {},
    },
  });
  await page.getByRole('link', { name: 'Connect a device' }).click();
  const code = page.getByLabelText('Code');
  await code.fill('AAAA-AAAA');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect.element(page.getByText('No device is showing this code.')).toBeVisible();
  await audit('a wrong code');
  await code.fill('k7qm3xwd');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect.element(page.getByText('192.0.2.7')).toBeVisible();
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect.element(page.getByRole('status')).toMatchTextContent('“Unknown laptop” was denied');
  expect(service.calls('POST /device/decision').map(({ body }) => body)).toEqual([{ user_code: 'K7QM-3XWD', decision: 'deny' }]);
});

test('where phones can’t reach the site, the settings say so instead of showing a code', async ({ mount }) => {
  const url = 'http://127.0.0.1:7420/phone#code=one-time';
  await mount('/settings/phone', {
    config: { base_url: 'http://127.0.0.1:7420' },
    api: { 'POST /phone/codes': { code: 'one-time', url, expires_in: 300 }, 'POST /phone/find': { state: 'waiting', expires_at: LATER } },
  });
  await expect.element(page.getByText('Phones can’t open http://127.0.0.1:7420')).toBeVisible();
  await expect.element(page.getByRole('img', { name: /^QR code/ })).not.toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: 'Open settings' })).toHaveAttribute('href', '/admin/settings');
});

test('lists of albums to choose from say whose they are: another one may have the same name', async ({ mount }) => {
  const album = (name: string, changes: object = {}) => ({ ...anAlbum({ name }), ...changes });
  const { library } = await mount('/settings/uploads', {
    albums: [album('Regatta'), album('Regatta', { role: 'contributor', owner: { id: 7, username: 'mika', avatar_url: null } })],
  });
  await page.getByRole('combobox', { name: 'Album' }).click();
  await expect.poll(textsOf(page.getByRole('option'))).toEqual(['Regatta', 'mika/Regatta']);
  await page.getByRole('option', { name: 'mika/Regatta' }).click();
  await expect.poll(() => library.preferences.album_id).toBe(library.albums[1]?.id);
});

test('a phone that asks can be denied, and another code shown', async ({ mount }) => {
  let state: PhoneState = { state: 'asking', name: 'Pixel 9', check_code: 'K7QM', address: '192.0.2.7', expires_at: LATER };
  let codes = 0;
  const { service } = await mount('/settings/phone', {
    config: { base_url: 'https://pics.example.org' },
    api: {
      'POST /phone/codes': () => {
        codes += 1;
        return { code: `code-${codes}`, url: `https://pics.example.org/phone#code=code-${codes}`, expires_in: 300 };
      },
      'POST /phone/find': ({ body }) => (body.code === 'code-1' ? state : { state: 'waiting', expires_at: LATER }),
      'POST /phone/decision': () => {
        state = { state: 'denied', name: 'Pixel 9' };
        return {};
      },
    },
  });
  await expect.element(page.getByRole('heading', { name: 'Connect “Pixel 9”?' })).toBeVisible();
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect.element(page.getByRole('heading', { name: '“Pixel 9” was denied' })).toBeVisible();
  expect(service.calls('POST /phone/decision').map(({ body }) => body)).toEqual([{ code: 'code-1', check_code: 'K7QM', decision: 'deny' }]);
  await page.getByRole('button', { name: 'Show a new code' }).click();
  await expect.element(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
  expect(codes).toBe(2);
});

test('a phone signs out within two taps of any page', async ({ mount }) => {
  await page.viewport(390, 844);
  const { library, service } = await mount('/albums', {
    api: {
      'POST /auth/logout': () => {
        library.user = null;
        return {};
      },
    },
  });
  await page.getByRole('link', { name: 'Settings' }).click();
  await checkPage('settings');
  await page.viewport(390, 844);
  const signOut = page.getByRole('button', { name: 'Sign out' });
  await expect.element(signOut).toBeInViewport({ ratio: 1 });
  // In one line with the heading and an admin's other button.
  const middles = [page.getByRole('heading', { level: 1 }), page.getByRole('main').getByRole('link', { name: 'Administration' }), signOut]
    .map((each) => each.element().getBoundingClientRect())
    .map(({ top, bottom }) => Math.round((top + bottom) / 2));
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(3);
  await signOut.click();
  await expect.element(page.getByRole('heading', { name: 'Sign in to Pixdock' })).toBeVisible();
  expect(service.calls('POST /auth/logout')).toHaveLength(1);
});
