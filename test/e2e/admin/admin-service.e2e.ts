import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { chooseRestore, createBackup, getBackups, setBackupSchedule } from '#api/admin/backup.ts';
import { listAllImages } from '#api/admin/images.ts';
import { changeAdminSettings, getAdminSettings } from '#api/admin/settings.ts';
import { createWebhook } from '#api/webhooks.ts';
import { audit, checkPage } from '#test/e2e/axe.ts';
import { expect, test, tiles, typeSignIn } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { DESK } from '#test/helpers/screen/screens.ts';
import { OWNER, uploadImage } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

const PAGES = [
  'dashboard',
  'views',
  'users',
  'groups',
  'invites',
  'images',
  'policies',
  'settings',
  'branding',
  'sso',
  'webhooks',
  'backup',
  'import',
  'audit',
  'system',
] as const;

test('no administration page has an accessibility violation', async ({ page, owner, service }) => {
  test.slow();
  await uploadImage(service, await owner.token('upload'), await photoJpeg());
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: DESK.colorScheme, reducedMotion: 'reduce' });
  await page.goto('/admin');
  const sections = page.getByRole('navigation', { name: 'Administration' });
  for (const id of PAGES)
    await test.step(id, async () => {
      const link = sections.locator(`[href="/admin/${id}"]`);
      const title = await link.innerText();
      await link.click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
      await checkPage(page, id);
    });
});

test('a backup is created, listed and chosen for a restore after confirmation, which can be cancelled', async ({
  page,
  owner,
  service,
}) => {
  await uploadImage(service, await owner.token('upload'), await photoJpeg());
  await page.goto('/admin/backup');
  await expect(page.getByText('No backup files yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Back up now' }).click();
  const restore = page.getByRole('button', { name: /^Restore .*\.tar$/ });
  await restore.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Check and restore' }).click();
  await expect(page.getByText('It contains 1 picture.')).toBeVisible();
  expect((await owner.client.call(getBackups, {})).restore).toMatchObject({ images: 1 });
  await page.getByRole('button', { name: 'Cancel restore' }).click();
  await expect(page.getByText('It contains 1 picture.')).toHaveCount(0);

  // Someone else's backup: its events make the page read how far it is.
  const running = { started_at: new Date().toISOString(), bytes: 256 * 1024, total_bytes: 1024 ** 2 };
  const known = await owner.client.call(getBackups, {});
  await page.route('**/api/v1/admin/backup', (route) =>
    route.fulfill({ json: { status: true, message: 'ok', data: { ...known, running } } }),
  );
  await owner.client.call(createBackup, {});
  await expect(page.getByRole('status').filter({ hasText: 'Backing up: 256 KB of 1 MB' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Back up now' })).toHaveAttribute('aria-valuenow', '25');
  expect((await owner.client.call(getBackups, {})).restore).toBeNull();
});

test('restarting from the page applies a restore, leads to sign-in, and reports what was restored', async ({
  page,
  owner,
  service,
  complaints,
}) => {
  const token = await owner.token('upload');
  await uploadImage(service, token, await photoJpeg({ seed: 1 }), {}, 'kept.jpg');
  const hook = { name: 'Chat', url: 'https://chat.example.org/hook', events: ['image.created' as const] };
  await owner.client.call(createWebhook, { body: hook });
  const schedule = { folder: mkdtempSync(join(tmpdir(), 'pixdock-test-')), every_hours: 24, keep: 7 };
  await owner.client.call(setBackupSchedule, { body: { schedule } });
  const { name } = await owner.client.call(createBackup, {});
  await uploadImage(service, token, await photoJpeg({ seed: 2 }), {}, 'later.jpg');
  await owner.client.call(chooseRestore, { body: { name } });
  await page.goto('/admin/backup');
  await page.getByRole('button', { name: 'Restart and restore' }).click();
  await typeSignIn(page, OWNER.username, OWNER.password);
  const report = page.getByRole('status').filter({ hasText: 'has been restored' });
  await expect(report).toContainText('1 picture · 0 albums · 1 user');
  await expect(report).toContainText('1 API token was revoked.');
  expect(await audit(page)).toEqual([]);
  await report.getByRole('button', { name: 'Turn on webhook “Chat”' }).click();
  await expect(report.getByText('Webhook “Chat”')).toHaveCount(0);
  await report.getByRole('button', { name: 'Turn on automatic backups' }).click();
  await expect(page.getByLabel('Folder')).toHaveValue(schedule.folder);
  await report.getByRole('button', { name: 'Dismiss' }).click();
  await expect(report).toHaveCount(0);
  await page.goto('/');
  await expect(tiles(page)).toHaveCount(1);
  await expect(tiles(page)).toHaveAccessibleName(/kept\.jpg/);
  complaints.splice(0); // requests fail while the service restarts
  rmSync(schedule.folder, { recursive: true });
});

test('a restored backup that doesn’t start leads back to the former data, and the page says why', async ({
  page,
  owner,
  service,
  complaints,
}) => {
  await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 1 }), {}, 'kept.jpg');
  const { name } = await owner.client.call(createBackup, {});
  await owner.client.call(chooseRestore, { body: { name } });
  breakPreparedRestore(service.dataDir);
  noteDrill(service.dataDir);
  await page.goto('/admin/backup');
  await page.getByRole('button', { name: 'Restart and restore' }).click();
  const failure = page.getByRole('alert').filter({ hasText: 'couldn’t be restored' });
  await expect(failure).toContainText('All your data is back to how it was before the restore.');
  await expect(failure).toContainText(/Reason: .*JSON/);
  await expect(page.getByRole('button', { name: 'Restart and restore' })).toHaveCount(0);
  const trial = page.getByRole('alert').filter({ hasText: 'The latest automatic backup can’t be restored' });
  await expect(trial).toContainText('blobs/1/ab is damaged.');
  expect(await audit(page)).toEqual([]);
  await failure.getByRole('button', { name: 'Dismiss' }).click();
  await expect(failure).toHaveCount(0);
  await page.goto('/');
  await expect(tiles(page)).toHaveAccessibleName(/kept\.jpg/);
  complaints.splice(0); // requests fail while the service restarts
});

/** Adds the result of a failed trial to the former data, for its next start. The backup is so young that no other is due. */
function noteDrill(dataDir: string) {
  const snapshot = '20990101-000000';
  const folder = join(dataDir, 'elsewhere');
  mkdirSync(join(folder, 'snapshots', snapshot), { recursive: true });
  const drill = { snapshot, finished_at: new Date().toISOString(), seconds: 3, images: 1, blobs: 1, bytes: 1 };
  const db = new Sqlite(join(dataDir, 'pixdock.db'));
  const insert = db.prepare('insert or replace into settings values (?, ?)');
  insert.run('backup_schedule', JSON.stringify({ folder, every_hours: 24, keep: 2 }));
  insert.run('backup_drill', JSON.stringify({ ...drill, fault: 'This backup can’t be restored: blobs/1/ab is damaged.' }));
  db.close();
}

/** Spoils a restore after it was verified, as a failing disk would. */
function breakPreparedRestore(dataDir: string) {
  const folder = join(dataDir, 'restore');
  const { folder: prepared } = JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8'));
  const db = new Sqlite(join(folder, prepared, 'pixdock.db'));
  db.exec("insert or replace into settings values ('site_name', 'not JSON')");
  db.close();
}

test('an invite link registers one person; an admin finds and permanently deletes their picture', async ({
  page,
  owner,
  service,
  browser,
}) => {
  await owner.client.call(changeAdminSettings, { body: { registration_mode: 'invite' } });
  await page.goto('/admin/invites');
  await page.getByRole('button', { name: 'Create invite' }).first().click();
  await page.getByRole('dialog').getByLabel('Note').fill('For Linus');
  await page.getByRole('dialog').getByRole('button', { name: 'Create invite' }).click();
  const link = new URL(await page.getByTestId('shown-once').innerText());
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'For Linus' })).toContainText('Not used yet');
  const stranger = await browser.newPage();
  await stranger.goto(`${service.url}${link.pathname}${link.search}`);
  await stranger.getByLabel('Username').fill('linus');
  await stranger.getByLabel('Email').fill('linus@example.org');
  await stranger.getByRole('textbox', { name: 'Password' }).fill('a long enough one');
  await stranger.getByRole('button', { name: 'Create account' }).click();
  await stranger.getByRole('button', { name: 'Open in this browser' }).click();
  await expect(stranger.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  await stranger.locator('input[type=file]').setInputFiles({ name: 'cat.jpg', mimeType: 'image/jpeg', buffer: await photoJpeg() });
  await expect(stranger.getByRole('region', { name: 'Uploads' }).getByRole('status')).toHaveText('1 picture uploaded');
  await stranger.close();

  await page.goto('/admin/images');
  const tile = page.getByRole('listitem').filter({ hasText: 'cat.jpg' });
  await expect(tile).toContainText('linus');
  await page.getByRole('checkbox', { name: 'Select cat.jpg' }).check();
  await page.getByRole('button', { name: 'Permanently delete 1 picture' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByRole('heading', { name: 'No pictures yet' })).toBeVisible();
  for (const state of ['live', 'trash'] as const) expect((await owner.client.call(listAllImages, { query: { state } })).items).toEqual([]);
});

test('the page says that links start with an address that others can’t reach, and an admin changes it in one click', async ({
  page,
  owner,
  service,
  lan,
}) => {
  const { key } = await uploadImage(service, await owner.token('upload'), await photoJpeg());
  await page.addInitScript(() => {
    const tops = new Set<number>();
    Object.assign(window, { tops });
    const note = () => {
      const tile = document.querySelector('main a[href^="/s/"]');
      if (tile) tops.add(Math.round(tile.getBoundingClientRect().top));
      requestAnimationFrame(note);
    };
    note();
  });
  await page.goto('/');
  const banner = page.getByRole('region', { name: 'Different address' });
  await expect(banner).toContainText(`Your links use ${service.url}. Only the computer that runs Pixdock can open them.`);
  await expect(banner.getByRole('button', { name: 'Use this address' })).toBeVisible();
  expect(await page.evaluate(() => [...(window as unknown as { tops: Set<number> }).tops])).toHaveLength(1); // nothing moves below the pointer
  // Copying says so too.
  await tiles(page).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy links' }).click();
  await expect(page.getByText(`The link starts with ${service.url}, which only the computer that runs Pixdock can open.`)).toBeVisible();
  await page.keyboard.press('Escape');

  await banner.getByRole('button', { name: 'Use this address' }).click();
  const question = page.getByRole('dialog', { name: `Start links with ${lan}?` });
  await expect(question).toContainText(`Links you’ve already shared will keep working as long as ${service.url} points to this server`);
  expect(await audit(page)).toEqual([]);
  await question.getByRole('button', { name: 'Use this address' }).click();
  await expect(banner).toHaveCount(0);
  expect(await owner.client.call(getAdminSettings, {})).toMatchObject({ base_url: lan });
  expect((await fetch(`${service.url}/i/${key}.jpg`)).status).toBe(200);

  // An address that others may well reach can be kept.
  await owner.client.call(changeAdminSettings, { body: { base_url: 'https://pics.example.org' } });
  await page.reload();
  await expect(banner).toContainText('Your links use https://pics.example.org.');
  await banner.getByRole('button', { name: 'Keep current address' }).click();
  await page.reload();
  await expect(tiles(page)).toHaveCount(1);
  await expect(banner).toHaveCount(0);
});
