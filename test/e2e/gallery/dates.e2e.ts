import type { Page } from 'playwright/test';
import { batchImages } from '#api/images/changes.ts';
import { getImage, listImages } from '#api/images/images.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

test.use({ timezoneId: 'Europe/Berlin' });

let seed = 0;
const put = async (service: TestService, owner: SignedIn, name: string, taken_at: string) =>
  uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: ++seed, width: 160, height: 120 }), { taken_at }, name);
const dateOf = async (owner: SignedIn, key: string) => (await owner.client.call(getImage, { params: { key } })).taken_at;
const sortByDate = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('pixdock.preferences', JSON.stringify({ timeline: 'taken_desc' })));

test('dates of several pictures are shifted or set, and each gets its own back', async ({ page, service, owner }) => {
  await sortByDate(page);
  const one = await put(service, owner, 'one.jpg', '2024-06-01T10:00:00Z');
  const two = await put(service, owner, 'two.jpg', '2024-06-02T10:00:00Z');
  const three = await put(service, owner, 'three.jpg', '2024-06-03T10:00:00Z');
  const dates = () => Promise.all([one, two, three].map(({ key }) => dateOf(owner, key)));
  const before = await dates();
  await page.goto('/');
  await expect(tiles(page)).toHaveCount(3);
  const order = () => tiles(page).evaluateAll((all) => all.map((tile) => (tile as HTMLElement).dataset.picture));

  for (const { key } of [one, two]) {
    await page.locator(`a[data-picture="${key}"]`).hover();
    await page.locator(`a[data-picture="${key}"]`).locator('..').getByRole('checkbox').check();
  }
  const open = () => page.locator('main header').getByRole('button', { name: 'Date', exact: true }).click();
  await open();
  const dialog = page.getByRole('dialog', { name: 'Correct the dates of 2 pictures' });
  const save = dialog.getByRole('button', { name: 'Change date' });
  await expect(save).toBeDisabled();
  expect(await audit(page)).toEqual([]);
  await dialog.getByLabel('Days').fill('1');
  await dialog.getByLabel('Hours').fill('2');
  await dialog.getByLabel('Minutes').fill('30');
  await dialog.getByText('Earlier', { exact: true }).click();
  await expect(dialog.getByRole('status')).toHaveText(
    /^(1 Jun 2024, 12:00 becomes 31 May 2024, 09:30|2 Jun 2024, 12:00 becomes 1 Jun 2024, 09:30)$/,
  );
  await dialog.getByText('Later', { exact: true }).click();
  await expect(dialog.getByRole('status')).toHaveText(
    /^(1 Jun 2024, 12:00 becomes 2 Jun 2024, 14:30|2 Jun 2024, 12:00 becomes 3 Jun 2024, 14:30)$/,
  );
  await dialog.getByLabel('Days').fill('99999');
  await expect(dialog.getByRole('status')).toContainText('Choose a year from 1826 to');
  await expect(save).toBeDisabled();
  await dialog.getByLabel('Days').fill('1');
  await save.click();
  await expect(page.getByText('Dates of 2 pictures changed')).toBeVisible();
  expect(await dates()).toEqual(['2024-06-02T12:30:00.000Z', '2024-06-03T12:30:00.000Z', before[2]]);
  await expect.poll(order).toEqual([two.key, three.key, one.key]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Changes to 2 pictures undone')).toBeVisible();
  expect(await dates()).toEqual(before);
  await expect.poll(order).toEqual([three.key, two.key, one.key]);

  // The same two are still selected.
  await open();
  await dialog.getByText('Set', { exact: true }).click();
  await expect(dialog.getByText('All of them get this date.')).toBeVisible();
  expect(await audit(page)).toEqual([]);
  const moment = dialog.getByLabel(/^Date and time \(Europe\/Berlin\)/);
  await moment.fill('1825-01-01T00:00:00');
  await expect(save).toBeDisabled();
  await moment.fill('2001-02-03T04:05:06');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Dates of 2 pictures changed')).toBeVisible();
  expect(await dates()).toEqual(['2001-02-03T03:05:06.000Z', '2001-02-03T03:05:06.000Z', before[2]]);
});

test('dates of more pictures than are loaded are shifted, and those of others stay', async ({ page, service, owner }) => {
  await sortByDate(page);
  const mia = await addUser(service, 'mia');
  const start = Date.parse('2024-06-01T10:00:00Z');
  const [theirs] = await withDatabase(service, (db) => addImageRows(db, mia.id, 1, () => ({ taken_at: start })));
  const { sha256, size } = await put(service, owner, 'first.jpg', '2024-06-01T10:00:00Z');
  const taken = (index: number) => start + (index + 1) * 60_000;
  await withDatabase(service, (db) =>
    addImageRows(db, owner.id, 449, (index) => ({ sha256, size, taken_at: taken(index), name: `${index}.jpg` })),
  );
  await page.goto('/');
  await expect(tiles(page).first()).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Select all 450' }).click();
  await page.locator('main header').getByRole('button', { name: 'Date', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct the dates of 450 pictures' });
  await dialog.getByLabel('Hours').fill('12');
  await dialog.getByRole('button', { name: 'Change date' }).click();
  await expect(page.getByText('Dates of 450 pictures changed')).toBeVisible();
  const shifted = await owner.client.call(listImages, { query: { sort: 'taken_asc', limit: 1 } });
  expect(shifted.items[0]?.taken_at).toBe(new Date(start + 12 * 3_600_000).toISOString());
  expect(await dateOf(mia, theirs as string)).toBe(new Date(start).toISOString());
  // A date that no picture has: nothing changes, and the page shows what the service has.
  await expect(owner.client.call(batchImages, { body: { action: 'date', query: {}, shift_seconds: 1e11 } })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Changes to 450 pictures undone')).toBeVisible();
  const back = await owner.client.call(listImages, { query: { sort: 'taken_asc', limit: 1 } });
  expect(back.items[0]?.taken_at).toBe(new Date(start).toISOString());
});
