import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { ADA, CARLA } from '#test/helpers/screen/account.ts';
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

test('in the desktop app, the owner signs in without a password', async ({ mount, left }) => {
  let isSignedIn = false;
  await mount('/albums', {
    user: null,
    desktop: {
      signInOwner: async () => {
        isSignedIn = true;
      },
    },
    api: { 'GET /auth/session': () => ({ user: isSignedIn ? ADA : null }) },
  });
  await page.getByRole('button', { name: 'Continue as the owner' }).click();
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

test('setup asks for the code that the service prints, and reports a wrong one', async ({ mount, left }) => {
  await mount('/', {
    user: null,
    config: { setup_required: true },
    api: {
      'POST /setup': ({ body }) => (body.setup_code === 'right' ? { user: ADA } : refuse('forbidden')),
    },
  });
  const code = page.getByRole('textbox', { name: 'Setup code' });
  await expect.element(code).toHaveFocus();
  await fillIn('ada', () => code.fill('not the code'));
  await expect.element(page.getByText('Refused: forbidden.')).toBeVisible();
  expect(location.pathname).toBe('/setup');
  await code.fill('right');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect.poll(() => left.splice(0)).toEqual(['/']);
});

test('open registration is linked from sign-in, marks the wrong field, and asks before it loses what was typed', async ({
  mount,
  left,
}) => {
  const { library, reopen } = await mount('/sign-in', {
    user: null,
    api: {
      'POST /auth/register': ({ body }) =>
        body.username === 'ada' ? refuse('conflict', { field: 'username', problem: 'username_taken' }) : { user: CARLA, second_step: null },
    },
  });
  const register = page.getByRole('link', { name: 'Create an account' });
  await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect.element(register).not.toBeInTheDocument();
  library.config.registration_mode = 'open';
  await reopen('/sign-in');
  const asksBeforeLeaving = () => {
    const leaving = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(leaving);
    return leaving.defaultPrevented;
  };
  await page.getByLabelText('Username or email').fill('ada');
  expect(asksBeforeLeaving()).toBe(false);
  await register.click();
  await expect.poll(() => left.splice(0)).toEqual(['/register']);
  await reopen('/register');
  await fillIn('ada');
  await expect
    .element(page.getByLabelText('Username'))
    .toHaveAccessibleDescription(expect.stringContaining('This username is already taken.'));
  expect(asksBeforeLeaving()).toBe(true);
  await expect.element(page.getByLabelText('Email')).toHaveValue('ada@example.net');
  await expect.element(page.getByRole('link', { name: 'Already have an account? Sign in' })).toHaveAttribute('href', '/sign-in');
  await fillIn('olga');
  await page.getByRole('button', { name: 'Open in this browser' }).click();
  await expect.poll(() => left.splice(0)).toEqual(['/']);
  expect(asksBeforeLeaving()).toBe(false);
});

test('a disabled invite is reported without a form; enabled, it fills its code in', async ({ mount, left }) => {
  const { library, service, reopen } = await mount('/register?invite=abc', {
    user: null,
    api: { 'POST /auth/invite': {}, 'POST /auth/register': { user: CARLA, second_step: null } },
  });
  await expect.element(page.getByText('This site isn’t accepting invites right now')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Already have an account? Sign in' })).toBeVisible();
  await expect.element(page.getByRole('textbox')).not.toBeInTheDocument();
  library.config.registration_mode = 'invite';
  await reopen('/register?invite=abc');
  await expect.element(page.getByLabelText('Invite code')).toHaveValue('abc');
  await fillIn('mia');
  await page.getByRole('button', { name: 'Open in this browser' }).click();
  await expect.poll(() => left.splice(0)).toEqual(['/']);
  expect(service.calls('POST /auth/register')).toMatchObject([{ body: { username: 'mia', invite: 'abc' } }]);
});

test('the sign-in page explains why single sign-on failed', async ({ mount }) => {
  const { reopen } = await mount('/sign-in?error=oidc_no_email', { user: null, config: { oidc_enabled: true } });
  await expect.element(page.getByRole('alert')).toMatchTextContent('didn’t share your email address');
  await expect.element(page.getByRole('link', { name: 'Sign in with SSO' })).toBeVisible();
  expect(location.search).toBe('?error=oidc_no_email');
  await audit('a failed sign-on');
  await reopen('/login?error=oidc_unreachable');
  await expect.element(page.getByRole('alert')).toMatchTextContent('isn’t responding');
  await reopen('/login?error=%3Cscript%3E');
  await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

async function fillIn(username: string, also?: () => Promise<void>) {
  await page.getByLabelText('Username').fill(username);
  await page.getByLabelText('Email').fill(`${username}@example.net`);
  await page.getByLabelText('Password', { exact: true }).fill('long enough now');
  await also?.();
  await page.getByRole('button', { name: 'Create account' }).click();
}

test('an invite leads from nothing to an account, and from there to the browser or the desktop app', async ({ mount, left }) => {
  await mount('/register?invite=abc', {
    user: null,
    config: { registration_mode: 'invite', site_name: 'Harbour' },
    api: { 'POST /auth/invite': {}, 'POST /auth/register': { user: CARLA, second_step: null } },
  });
  await page.getByLabelText('Username').fill('carla');
  await page.getByLabelText('Email').fill('carla@example.org');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect.element(page.getByRole('heading', { name: 'Welcome to Harbour' })).toBeVisible();
  await audit('what a new user can do next');
  const join = page.getByRole('link', { name: 'Join with the desktop app' });
  await expect.element(join).toHaveAttribute('href', `pixdock://join?address=${encodeURIComponent(location.origin)}`);
  expect(left).toEqual([]);
  await page.getByRole('button', { name: 'Open in this browser' }).click();
  await expect.poll(() => left.splice(0)).toEqual(['/']);
});
