import { notifications } from '@mantine/notifications';
import { expect, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AuditEntry } from '#api/admin/audit.ts';
import type { AdminImage } from '#api/admin/images.ts';
import type { ImportState } from '#api/admin/imports.ts';
import type { AdminSettings } from '#api/admin/settings.ts';
import type { AdminUser } from '#api/admin/users.ts';
import type { Webhook, WebhookDelivery } from '#api/webhooks.ts';
import { ADA, CARLA } from '#test/helpers/screen/account.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { audit } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { nextNumber, pageOf } from '#test/helpers/screen/library.ts';
import { textsOf } from '#test/helpers/screen/locators.ts';
import { type Api, refuse } from '#test/helpers/screen/service.ts';

const NOW = new Date().toISOString();

const anAdminUser = (user = ADA): AdminUser => ({
  ...user,
  email_source: 'admin',
  two_factor: false,
  disabled: false,
  group: { id: 1, name: 'Default' },
  storage_used_bytes: 0,
  storage_quota_bytes: 0,
  image_count: 0,
  trash_count: 0,
  last_seen_at: NOW,
  deletion: null,
});

const SETTINGS: AdminSettings & { logo: null; link_address: string; base_url_fixed: boolean } = {
  site_name: 'Pixdock',
  accent_color: null,
  base_url: null,
  registration_mode: 'closed',
  guest_upload_enabled: false,
  two_factor_required: 'nobody',
  custom_addresses_enabled: true,
  request_links_enabled: true,
  team_directory: true,
  ocr_enabled: false,
  ocr_languages: ['en'],
  fetch_allowed_hosts: [],
  cors_origins: [],
  hotlink_sites: null,
  count_referrers: true,
  disk_reserve_bytes: null,
  logo: null,
  link_address: location.origin,
  base_url_fixed: false,
};

const heading = (name: string) => expect.element(page.getByRole('heading', { name, level: 1 })).toBeVisible();

test('unsaved changes aren’t lost without a question: on another page, in a dialog, on closing the tab', async ({ mount }) => {
  const settings = { ...SETTINGS };
  await mount('/admin/settings', {
    api: {
      'GET /admin/settings': () => settings,
      'GET /admin/text': { pictures: 0, waiting: 0, pause: 'off', cpu_seconds: 1 },
      'PATCH /admin/settings': ({ body }) => Object.assign(settings, body),
      'GET /admin/users': pageOf([anAdminUser()]),
      'GET /admin/groups': pageOf([]),
      'GET /admin/policies': pageOf([]),
    },
  });
  const name = page.getByLabelText('Site name');
  await name.fill('Harbour pictures');
  const users = page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Users' });
  const question = page.getByRole('dialog', { name: 'Discard changes?' });
  await users.click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect.element(name).toHaveValue('Harbour pictures');
  expect(location.pathname).toBe('/admin/settings');
  const closing = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(true);
  await users.click();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await heading('Users');

  await page.getByRole('button', { name: 'Create user' }).click();
  const form = page.getByRole('dialog', { name: 'Create user' });
  await form.getByLabelText('Username').fill('linus');
  await userEvent.keyboard('{Escape}');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect.element(form.getByLabelText('Username')).toHaveValue('linus');
  await userEvent.keyboard('{Escape}');
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect.element(form).not.toBeInTheDocument();

  // Nothing entered, saved: no question.
  await page.getByRole('button', { name: 'Create user' }).click();
  await expect.element(form).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(form).not.toBeInTheDocument();
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Settings' }).click();
  await name.fill('Harbour pictures');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('Unsaved changes')).not.toBeInTheDocument();
  const saved = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(saved);
  expect(saved.defaultPrevented).toBe(false);
  await users.click();
  await heading('Users');
  expect(settings.site_name).toBe('Harbour pictures');
});

test('a link address is refused until it is changed, and how many links change is said of whole ones alone', async ({ mount }) => {
  const settings = { ...SETTINGS, base_url: null as string | null };
  const totals = { users: 1, images: 455, stored_bytes: 0, uploads: 0, views: 0 };
  await mount('/admin/settings', {
    api: {
      'GET /admin/settings': () => settings,
      'GET /admin/text': { pictures: 0, waiting: 0, pause: 'off', cpu_seconds: 1 },
      'GET /admin/stats': { totals, days: [], users: [] },
      'PATCH /admin/settings': ({ body }) =>
        body.base_url?.endsWith('.org')
          ? Object.assign(settings, body)
          : refuse('invalid_request', { field: 'base_url', problem: 'not_origin' }),
    },
  });
  const field = page.getByLabelText('Link address');
  const notice = page.getByText('The links to 455 pictures will change');
  await field.fill('https://pics.example.org');
  await expect.element(notice).toBeVisible();
  for (const text of ['pics', 'https://', 'https://pics.example.org/path', settings.link_address]) {
    await field.fill(text);
    await expect.element(field).toHaveValue(text);
    await expect.element(notice).not.toBeInTheDocument();
  }
  await field.fill('pics');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill('https://pics.example.org');
  await expect.element(field).not.toHaveAttribute('aria-invalid', 'true');
  await expect.element(page.getByText('Unsaved changes')).toBeVisible();
  await field.fill('pics');
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.element(field).toHaveValue('');
  await expect.element(field).not.toHaveAttribute('aria-invalid', 'true');
});

test('the audit log names what happened, and is narrowed by a list of actions, a user and days', async ({ mount }) => {
  const entry = (action: string, target = '', details: AuditEntry['details'] = {}): AuditEntry => ({
    id: nextNumber(),
    at: NOW,
    actor: { id: ADA.id, username: ADA.username },
    action,
    target,
    details,
    address: '192.0.2.1',
    user_agent: 'test',
  });
  const all = [
    entry('settings.changed', 'site_name, disk_reserve_bytes', {
      site_name: { from: 'Pixdock', to: 'Harbour pictures' },
      disk_reserve_bytes: { from: null, to: 1024 ** 3 },
    }),
    entry('session.opened'),
  ];
  const { service } = await mount('/admin/audit', {
    api: {
      'GET /admin/audit': ({ query }) =>
        pageOf(
          query.from
            ? []
            : all.filter(({ action, actor }) => (query.action ?? action) === action && (query.actor_id ?? ADA.id) === actor?.id),
        ),
      'GET /admin/users': pageOf([anAdminUser()]),
      'GET /admin/groups': pageOf([]),
      'GET /admin/policies': pageOf([]),
    },
  });
  const entries = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
  const changed = entries.filter({ hasText: 'Changed settings' });
  await expect.element(changed).toMatchTextContent('Site name, Free space to keep');
  await page.getByRole('combobox', { name: 'Action' }).click();
  await expect.element(page.getByText('Accounts and sign-in', { exact: true })).toBeVisible();
  await page.getByRole('option', { name: 'Signed in', exact: true }).click();
  await expect.element(changed).not.toBeInTheDocument();
  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'All actions' }).click();
  await expect.element(changed).toBeVisible();
  await page.getByLabelText('From').fill('2099-01-01');
  await expect.element(page.getByText('No entries match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('combobox', { name: 'User' }).click();
  await page.getByRole('option', { name: ADA.username }).click();
  await expect.element(changed).toBeVisible();
  await expect.poll(() => service.calls('GET /admin/audit').at(-1)?.query.actor_id).toBe(ADA.id);
  await audit('the audit log');
});

test('the most viewed pictures, and where their views come from, are shown to their owner and to admins', async ({ mount }) => {
  const popular = anImage({ name: 'popular.jpg' });
  const report = {
    total: 3,
    days: Array.from({ length: 30 }, (_, index) => ({
      date: new Date(Date.now() - (29 - index) * 86_400_000).toISOString().slice(0, 10),
      views: index === 29 ? 3 : 0,
    })),
    sources: [
      { host: 'blog.example', views: 2 },
      { host: 'forum.example', views: 1 },
    ],
    counts_sources: true,
  };
  const { reopen } = await mount('/settings/views', {
    images: [popular],
    api: {
      'GET /user/views': { ...report, images: [{ image: popular, views: 3 }] },
      'GET /admin/views': { ...report, images: [{ image: asAdmins(popular), views: 3 }] },
    },
  });
  for (const address of ['/settings/views', '/admin/views']) {
    await reopen(address);
    await expect.element(page.getByText('3 views in the last 30 days')).toBeVisible();
    await expect.element(page.getByRole('list', { name: 'Most viewed' }).getByRole('listitem')).toMatchTextContent(/popular\.jpg.*3 views/);
    const sources = page.getByRole('list', { name: 'Referring websites' }).getByRole('listitem');
    await expect.element(sources.first()).toHaveTextContent('blog.example2 views');
    await expect.element(sources.nth(1)).toHaveTextContent('forum.example1 view');
    await audit(address);
  }
});

const asAdmins = (
  { albums: _, ...image }: ReturnType<typeof anImage>,
  owner: { id: number; username: string } | null = ADA,
): AdminImage => ({
  ...image,
  owner,
  uploader_address: '192.0.2.1',
});

test('the sessions of a user are called by browser and system', async ({ mount }) => {
  const user_agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0';
  const session = { id: '1', created_at: NOW, last_seen_at: NOW, expires_at: NOW, address: '192.0.2.7', user_agent, current: false };
  await mount('/admin/users', {
    api: {
      'GET /admin/users': pageOf([anAdminUser()]),
      'GET /admin/groups': pageOf([]),
      'GET /admin/policies': pageOf([]),
      'GET /admin/users/:id/access': { sessions: [session], tokens: [] },
    },
  });
  await page.getByRole('button', { name: 'Actions for ada' }).click();
  await page.getByRole('menuitem', { name: 'Sessions and tokens' }).click();
  await expect.element(page.getByRole('list', { name: 'Sessions' })).toMatchTextContent('Firefox · Windows192.0.2.7');
});

test('a notice leaves the buttons of a dialog free', async ({ mount }) => {
  await page.viewport(1024, 560);
  await mount('/admin/users', {
    api: { 'GET /admin/users': pageOf([anAdminUser()]), 'GET /admin/groups': pageOf([]), 'GET /admin/policies': pageOf([]) },
  });
  await page.getByRole('button', { name: 'Create user' }).click();
  const create = page.getByRole('dialog').getByRole('button', { name: 'Create user' });
  await expect.element(create).toBeVisible();
  notifications.show({ message: 'Saved', autoClose: false });
  const notice = page.getByRole('alert').filter({ hasText: 'Saved' });
  await expect.element(notice).toBeVisible();
  const edge = (element: Element) => element.getBoundingClientRect();
  await expect.poll(() => edge(notice.element()).bottom).toBeLessThan(edge(create.element()).top);
  notifications.clean();
});

test('a member sees no administration, and its address redirects to their pictures', async ({ mount }) => {
  const { reopen } = await mount('/', { user: CARLA });
  await expect.element(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  const link = page.getByRole('link', { name: 'Administration' });
  await expect.element(link).not.toBeInTheDocument();
  await page.viewport(390, 844);
  await reopen('/settings/appearance');
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Settings');
  await expect.element(link).not.toBeInTheDocument();
  await reopen('/admin/users');
  await expect.poll(() => location.pathname).toBe('/');
});

test('the picture list filters by user, found by part of the name, and the filter can be cleared', async ({ mount }) => {
  const [grace, linus] = [
    { ...CARLA, id: 3, username: 'grace' },
    { ...CARLA, id: 4, username: 'linus' },
  ];
  const all = [
    asAdmins(anImage({ name: 'of ada.jpg' })),
    asAdmins(anImage({ name: 'of grace.jpg' }), grace),
    asAdmins(anImage({ name: 'of a guest.jpg' }), null),
  ];
  const users = [ADA, grace, linus].map(anAdminUser);
  const api: Api = {
    'GET /admin/images': ({ query: { q, user_id, guests } }) =>
      pageOf(all.filter(({ name, owner }) => name.includes(q ?? '') && (!user_id || owner?.id === user_id) && (!guests || owner === null))),
    'GET /admin/users': ({ query: { q } }) => pageOf(q === undefined ? [] : users.filter(({ username }) => username.includes(q))),
    'GET /admin/users/:id': ({ params }) => users.find(({ id }) => id === params.id) ?? anAdminUser(),
    'GET /admin/audit': pageOf([]),
    'GET /admin/groups': pageOf([]),
    'GET /admin/policies': pageOf([]),
  };
  const { reopen } = await mount('/admin/images', { api });
  const list = page.getByRole('list', { name: 'All pictures' });
  await expect.element(list.getByRole('listitem')).toHaveLength(3);
  const choice = page.getByRole('combobox', { name: 'User' });
  await choice.fill('rac');
  await expect.poll(textsOf(page.getByRole('option'))).toEqual(['grace']);
  await page.getByRole('option', { name: 'grace' }).click();
  await expect.element(list.getByRole('listitem')).toHaveLength(1);
  await expect.element(list).toMatchTextContent('of grace.jpg');
  // The filters are in the address, so reload and back keep them, even for users who aren't among the first of the choice.
  const search = page.getByRole('searchbox', { name: 'Name or link' });
  await search.fill('grace');
  await expect.poll(() => location.search).toMatch(/q=grace/);
  await reopen();
  await expect.element(choice).toHaveValue('grace');
  await expect.element(search).toHaveValue('grace');
  await expect.element(list.getByRole('listitem')).toHaveLength(1);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await heading('Audit log');
  expect(location.search).not.toMatch(/grace|user=/);
  history.back();
  await expect.element(choice).toHaveValue('grace');
  await expect.element(list.getByRole('listitem')).toHaveLength(1);
  await search.fill('');
  await expect.poll(() => location.search).not.toMatch(/q=/);
  // A guest isn't a user: the two filters exclude each other.
  await page.getByRole('switch', { name: 'Guests only' }).click({ force: true });
  await expect.element(choice).toHaveValue('');
  await expect.element(list).toMatchTextContent('of a guest.jpg');
  await expect.element(list.getByRole('listitem')).toHaveLength(1);
  await page.getByRole('switch', { name: 'Guests only' }).click({ force: true });
  await expect.element(list.getByRole('listitem')).toHaveLength(3);
});

test('a new webhook shows its secret once, can be tested, and logs the result', async ({ mount }) => {
  const webhooks: Webhook[] = [];
  const deliveries: WebhookDelivery[] = [];
  const { service } = await mount('/admin/webhooks', {
    api: {
      'GET /admin/webhooks': () => pageOf(webhooks),
      'POST /admin/webhooks': ({ body }) => {
        const webhook: Webhook = { id: 1, ...body, enabled: true, created_at: NOW };
        webhooks.push(webhook);
        return { ...webhook, secret: 'whsec_secret' };
      },
      'POST /admin/webhooks/:id/test': () => {
        deliveries.push({
          id: 1,
          message_id: 'msg',
          type: 'webhook.test',
          data: {},
          state: 'delivered',
          attempts: 1,
          next_attempt_at: null,
          created_at: NOW,
          last_attempt_at: NOW,
          last_status: 200,
          last_error: null,
        });
        return {};
      },
      'GET /admin/webhooks/:id/deliveries': () => pageOf(deliveries),
      'POST /admin/webhooks/:id/deliveries/:delivery_id/redeliver': () => deliveries[0] as WebhookDelivery,
    },
  });
  await page.getByRole('button', { name: 'Create webhook' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabelText('Name').fill('Chat');
  await form.getByLabelText('URL').fill('https://chat.example.org/hook');
  await form.getByRole('checkbox', { name: 'Changed albums' }).click();
  await form.getByRole('button', { name: 'Create webhook' }).click();
  await expect.element(page.getByTestId('shown-once')).toHaveTextContent('whsec_secret');
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Chat' });
  await expect.element(row).toMatchTextContent('New pictures · Changed albums');
  await row.getByRole('button', { name: 'Actions for Chat' }).click();
  await page.getByRole('menuitem', { name: 'Send test' }).click();
  const log = page.getByRole('dialog', { name: 'Deliveries to Chat' });
  await expect.element(log.getByRole('listitem').filter({ hasText: 'webhook.test' })).toMatchTextContent('Delivered');
  expect(service.calls('POST /admin/webhooks/:id/test')).toHaveLength(1);
  await log.getByRole('button', { name: 'Resend' }).click();
  await expect.poll(() => service.calls('POST /admin/webhooks/:id/deliveries/:delivery_id/redeliver')).toHaveLength(1);
});

test('in the picture list, nothing covers a picture, and names begin where they are read from', async ({ mount }) => {
  const [latin, arabic] = ['a name that is too long for its place.jpg', 'صورة من الشاطئ في الصيف مع الأصدقاء.jpg'];
  const images = [latin, arabic].map((name) => asAdmins(anImage({ name })));
  await mount('/admin/images', { api: { 'GET /admin/images': pageOf(images), 'GET /admin/users': pageOf([anAdminUser()]) } });
  const items = page.getByRole('list', { name: 'All pictures' }).getByRole('listitem');
  await expect.element(items).toHaveLength(2);
  for (const item of items.all()) {
    const [picture, box] = [item.getByRole('link'), item.getByRole('checkbox')].map((part) => part.element().getBoundingClientRect());
    expect(box?.top).toBeGreaterThanOrEqual(picture?.bottom ?? Number.POSITIVE_INFINITY);
  }
  const directions = [latin, arabic].map((name) => getComputedStyle(page.getByText(name).element()).direction);
  expect(directions).toEqual(['ltr', 'rtl']);
  await audit('pictures of all users');
});

test('an invite’s link and code have the address that others can open; while there is none, the app offers to share', async ({ mount }) => {
  const invite = { id: 1, note: '', email: null, group_id: null, created_at: NOW, expires_at: NOW, used_at: null, used_by: null };
  const api: Api = {
    'GET /admin/invites': pageOf([]),
    'GET /admin/groups': pageOf([]),
    'POST /admin/invites': { ...invite, code: 'abc', url: 'http://127.0.0.1:7410/register?invite=abc' },
  };
  const shareLinks = vi.fn();
  const { library, desktop } = await mount('/admin/invites', {
    api,
    config: { registration_mode: 'invite', base_url: 'http://127.0.0.1:7410' },
    desktop: { shareLinks },
  });
  await page.getByRole('button', { name: 'Create invite' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create invite' }).click();
  await expect.element(dialog).toMatchTextContent('This address works on this computer only.');
  await audit('an invite that only this computer can open');
  await dialog.getByRole('button', { name: 'Share now' }).click();
  expect(shareLinks).toHaveBeenCalledOnce();
  library.config.base_url = 'http://pixdock.local:7410';
  desktop.emit('serviceStatus', { state: 'running', url: location.origin, linkAddress: 'http://pixdock.local:7410' });
  await expect.element(dialog.getByRole('img', { name: 'QR code with an invite to http://pixdock.local:7410' })).toBeVisible();
  await expect.element(dialog.getByTestId('shown-once')).toHaveTextContent('http://pixdock.local:7410/register?invite=abc');
  await audit('an invite');
});

test('a file with old addresses replaces those that were there, in parts, and what is left out is named', async ({ mount }) => {
  let count = 0;
  const { service } = await mount('/admin/import', {
    api: {
      'GET /admin/import': () => ({ import: null }),
      'GET /admin/old-addresses': () => ({ count }),
      'PUT /admin/old-addresses': ({ body }) => {
        count = (body.replace ? 0 : count) + body.addresses.length - 1;
        return { count, refused: body.addresses.slice(0, 1).map(({ old }) => ({ old, reason: 'no_such_picture' as const })) };
      },
      'DELETE /admin/old-addresses': () => {
        count = 0;
        return {};
      },
    },
  });
  await expect.element(page.getByText('There are none.')).toBeVisible();
  const rows = Array.from({ length: 2_500 }, (_, index) => `/u/${index}.png,/i/aaaaaaaaaaaa.png`);
  const csv = ['\ufeffold address,new address', '"/u/a ""b"", c.png",/i/aaaaaaaaaaaa.png', ...rows].join('\r\n');
  await userEvent.upload(page.getByCss('#content input[type=file]'), new File([csv], 'map.csv'));
  await expect.element(page.getByText('2,499 old addresses lead to pictures.')).toBeVisible();
  await expect.element(page.getByText('2 addresses were left out:')).toBeVisible();
  const parts = service.calls('PUT /admin/old-addresses').map(({ body }) => body);
  expect(parts.map(({ addresses, replace }) => [addresses.length, replace])).toEqual([
    [2_000, true],
    [501, undefined],
  ]);
  expect(parts[0]?.addresses.slice(0, 2)).toEqual([
    { old: '/u/a "b", c.png', now: '/i/aaaaaaaaaaaa.png' },
    { old: '/u/0.png', now: '/i/aaaaaaaaaaaa.png' },
  ]);
  await audit('old addresses');
  await page.getByRole('button', { name: 'Remove all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click();
  await expect.element(page.getByText('There are none.')).toBeVisible();
});

test('an import is started, followed, paused, continued with the token after a restart, and reported', async ({ mount }) => {
  type State = NonNullable<ImportState>;
  let now: State | null = null;
  const begun: State = {
    ...{ product: 'slink', address: 'https://old.example.org', user_id: 1, started_at: NOW, finished_at: null, state: 'running' },
    ...{ found: 40, listed: false, imported: 0, present: 0, failed: 0, gone: 0, videos: 0, other_files: 0, needs_token: false },
    ...{ faults: [], not_brought: {}, never_brought: ['comments'], fault: null },
  };
  let refusal = true;
  const { service } = await mount('/admin/import', {
    api: {
      'GET /admin/old-addresses': () => ({ count: 0 }),
      'GET /admin/import': () => ({ import: now }),
      'POST /admin/import': () => {
        if (refusal) return refuse('invalid_request', { field: 'url' });
        now = begun;
        return {};
      },
      'POST /admin/import/pause': () => {
        now = { ...begun, state: 'paused', needs_token: true, listed: true, imported: 10, present: 2 };
        return {};
      },
      'POST /admin/import/continue': () => {
        now = { ...begun, listed: true, imported: 20 };
        return {};
      },
      'DELETE /admin/import': () => {
        now = null;
        return {};
      },
    },
  });
  const button = (name: string) => page.getByRole('button', { name });
  await page.getByRole('combobox', { name: 'Product' }).click();
  await page.getByRole('option', { name: 'Slink' }).click();
  await expect.element(page.getByText('with a colon between them')).toBeVisible();
  await page.getByRole('textbox', { name: 'Address' }).fill('https://old.example.org');
  await page.getByLabelText('Token', { exact: false }).first().fill('ada:secret');
  await button('Start the import').click();
  await expect.element(page.getByRole('textbox', { name: 'Address' })).toBeInvalid();
  refusal = false;
  await audit('the form of an import');
  await button('Start the import').click();
  expect(service.calls('POST /admin/import').at(-1)?.body).toEqual({
    product: 'slink',
    url: 'https://old.example.org',
    token: 'ada:secret',
  });
  await expect.element(page.getByText('40 pictures found so far')).toBeVisible();
  await button('Pause').click();
  await expect.element(page.getByText('12 of 40')).toBeVisible();
  await page.getByLabelText('The token, once more').fill('ada:secret');
  await audit('a paused import');
  await button('Continue').click();
  await expect.element(page.getByText('20 of 40')).toBeVisible();
  expect(service.calls('POST /admin/import/continue').at(-1)?.body).toEqual({ token: 'ada:secret' });
  now = { ...begun, state: 'done', listed: true, imported: 39, failed: 1, videos: 3, not_brought: { 'numbers of views': 7 } };
  now.faults = [{ name: 'a.png', reason: 'The picture is damaged.' }];
  service.tell('job.changed', 'import');
  await expect.element(page.getByText('a.png: The picture is damaged.')).toBeVisible();
  await expect.element(page.getByText('39 imported · 1 failed · 3 videos left out')).toBeVisible();
  await expect.element(page.getByText('numbers of views (7)')).toBeVisible();
  await audit('the report of an import');
  await button('Close the report').click();
  await expect.element(button('Start the import')).toBeVisible();
});
