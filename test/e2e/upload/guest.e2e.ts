import { changeGroup, listGroups } from '#api/admin/groups.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { test } from '#test/e2e/stranger.ts';
import { expect } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import type { SignedIn } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

const allowGuests = async ({ client }: SignedIn, allowed: boolean) => {
  await client.call(changeAdminSettings, { body: { guest_upload_enabled: allowed } });
  const { items } = await client.call(listGroups, { query: {} });
  const guests = items.find(({ kind }) => kind === 'guest');
  // The scenarios share a service, and upload more than guests usually may in a minute.
  await client.call(changeGroup, { params: { id: String(guests?.id) }, body: { uploads_per_minute: 0 } });
};

test('a guest uploads a picture, gets its links, and deletes it with the deletion link', { tag: '@essential' }, async ({ page, host }) => {
  await allowGuests(host.owner, true);
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Upload without an account' }).click();
  await expect(page.getByText('Up to 10 MB each')).toBeVisible();
  await expect(page.getByText('Kept for 1 day')).toBeVisible();
  await page.locator('input[type=file]').setInputFiles([
    { name: 'ferry.jpg', mimeType: 'image/jpeg', buffer: await photoJpeg({ seed: 71 }) },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') },
  ]);
  const results = page.getByRole('region', { name: 'Your uploads' });
  await expect(results.getByRole('status')).toHaveText('1 picture uploaded');
  await expect(results.getByText('Save these links before you leave')).toHaveCount(0);
  await expect(page.getByText('This browser keeps your links until the pictures expire.')).toBeVisible();
  const [link, deletion] = await results.locator('code').allTextContents();
  expect((await fetch(link ?? '')).status).toBe(200);
  await expect(page.getByText('Link copied')).toHaveCount(0, { timeout: 15_000 });
  await checkPage(page, 'guest upload');

  await page.reload();
  const earlier = page.getByRole('region', { name: 'Earlier uploads' });
  await expect(earlier.getByText('ferry.jpg')).toBeVisible();
  await expect(earlier.locator('code')).toHaveText([link ?? '', deletion ?? '']);
  await checkPage(page, 'guest upload, earlier uploads');
  const another = { name: 'pier.jpg', mimeType: 'image/jpeg', buffer: await photoJpeg({ seed: 76 }) };
  await page.locator('input[type=file]').setInputFiles(another);
  await expect(results.getByRole('status')).toHaveText('1 picture uploaded');
  await expect(earlier.getByText('pier.jpg')).toHaveCount(0);

  await page.goto(new URL(deletion ?? '').pathname);
  await expect(page.getByRole('heading', { name: 'Delete this picture?' })).toBeVisible();
  await expect(page.getByText('permanently deleted')).toBeVisible();
  await checkPage(page, 'deletion');
  await page.getByRole('button', { name: 'Keep it' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing was deleted' })).toBeVisible();
  expect((await fetch(link ?? '')).status).toBe(200);
  await page.getByRole('button', { name: 'Delete it after all' }).click();
  await page.getByRole('button', { name: 'Delete picture' }).click();
  await expect(page.getByRole('heading', { name: 'Picture deleted' })).toBeVisible();
  expect((await fetch(link ?? '')).status).toBe(404);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Nothing to delete' })).toBeVisible();

  await page.goto('/upload');
  await expect(earlier.getByText('pier.jpg')).toBeVisible();
  await expect(earlier.getByText('ferry.jpg')).toHaveCount(0);
  await page.getByRole('button', { name: 'Forget these links' }).click();
  const question = page.getByRole('dialog', { name: 'Forget these links?' });
  await checkPage(page, 'guest upload, forgetting');
  await question.getByRole('button', { name: 'Forget these links' }).click();
  await expect(earlier).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Upload without an account' })).toBeVisible();
  await expect(page.getByText('pier.jpg')).toHaveCount(0);
});
