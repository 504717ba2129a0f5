import { writeFile } from 'node:fs/promises';
import { changeGroup, listGroups } from '#api/admin/groups.ts';
import { listAllImages } from '#api/admin/images.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { dropFiles } from '#test/e2e/drop.ts';
import { test } from '#test/e2e/stranger.ts';
import { expect } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type SignedIn, uploadImage } from '#test/helpers/service/service.ts';

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

test('a guest drops, pastes and retries; what the limits rule out is refused before it is sent', async ({ page, host }, info) => {
  await allowGuests(host.owner, true);
  await page.goto('/upload');
  await expect(page.getByRole('heading', { name: 'Upload without an account' })).toBeVisible();
  const dropped = info.outputPath('quay.jpg');
  await writeFile(dropped, await photoJpeg({ seed: 74 }));
  await dropFiles(page, [dropped], async () => {
    await expect(page.getByTestId('drop-overlay')).toContainText('up to 10 MB each');
    await checkPage(page, 'guest upload, dragging');
  });
  const results = page.getByRole('region', { name: 'Your uploads' });
  await expect(results.getByRole('status')).toHaveText('1 picture uploaded');

  // The service is away: the upload can be cancelled, and sent again.
  await page.route('**/api/v1/**', (route) => route.abort('connectionrefused'));
  const bytes = [...(await photoJpeg({ seed: 75 }))];
  await page.evaluate((content) => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(content)], 'image.png', { type: 'image/png' }));
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true }));
  }, bytes);
  await results.getByRole('button', { name: /^Cancel Pasted/ }).click();
  await page.unroute('**/api/v1/**');
  await results.getByRole('button', { name: /^Retry Pasted/ }).click();
  await expect(results.getByRole('status')).toHaveText('2 pictures uploaded');

  await page.locator('input[type=file]').setInputFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') }]);
  const refused = results.getByRole('listitem').filter({ hasText: 'notes.txt' }).first();
  await expect(refused).toContainText('isn’t a supported picture');
  await expect(refused.getByRole('button', { name: /^Retry/ })).toHaveCount(0);
  await refused.getByRole('button', { name: 'Remove notes.txt from the list' }).click();
  await expect(refused).toHaveCount(0);

  await page.getByRole('combobox', { name: 'Link format' }).selectOption('Markdown');
  await expect(results.locator('code').first()).toHaveText(/^!\[.*\]\(.*\)$/);
  await results.getByRole('button', { name: 'Copy 2 links' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a guest’s picture is stored once, even if the response is lost', async ({ page, host }) => {
  await allowGuests(host.owner, true);
  const bytes = await photoJpeg({ seed: 73 });
  const keys: (string | undefined)[] = [];
  await page.route('**/api/v1/upload*', async (route) => {
    const key = route.request().headers()['idempotency-key'];
    keys.push(key);
    if (keys.length > 1) return route.continue();
    // The page's request arrives, but the page gets no response. Playwright can't forward a form with a file.
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), 'harbour.jpg');
    const stored = await fetch(`${host.service.url}/api/v1/upload`, {
      method: 'POST',
      headers: { 'idempotency-key': key ?? '' },
      body: form,
    });
    expect(await stored.json()).toMatchObject({ data: { reused: false } });
    await route.abort('connectionreset');
  });
  const newest = async () => (await host.owner.client.call(listAllImages, { query: {} })).items.map((image) => image.key);
  const before = await newest();
  await page.goto('/upload');
  await page.locator('input[type=file]').setInputFiles([{ name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: bytes }]);
  await expect(page.getByRole('region', { name: 'Your uploads' }).getByRole('status')).toHaveText('1 picture uploaded');
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
  expect((await newest()).filter((key) => !before.includes(key))).toHaveLength(1);
});

test("a member's deletion link moves the picture to its owner's trash", async ({ page, host }) => {
  const image = await uploadImage(host.service, host.token, await photoJpeg({ seed: 72 }));
  await page.goto(new URL(image.links.delete_url ?? '').pathname);
  await expect(page.getByText('owner’s trash')).toBeVisible();
  await page.getByRole('button', { name: 'Delete picture' }).click();
  await expect(page.getByRole('heading', { name: 'Picture deleted' })).toBeVisible();
  expect((await fetch(image.links.url)).status).toBe(404);
});

test('where guest uploads are off, the guest page reports it and sign-in doesn’t offer it', async ({ page, host }) => {
  await allowGuests(host.owner, false);
  await page.goto('/upload');
  await expect(page.getByRole('heading', { name: 'Uploading without an account is turned off' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Username or email')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Upload without an account' })).toHaveCount(0);
});
