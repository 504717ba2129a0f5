import type { Page } from 'playwright/test';
import type { TextLine } from '#api/images/text.ts';
import { storeRecognition } from '#server/core/images/text/recognized.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { expect, test } from '#test/e2e/web.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

/** The lines of the screenshot. */
const LINES = ['Invoice 2026-114', 'Pay to ann@mail.example', 'Call +49 30 1234567 before noon', '今日特价 total 42.17'];

/** A screenshot with these lines, and the text as it is recognised in it. */
async function screenshot(page: Page) {
  await page.setViewportSize({ width: 900, height: 420 });
  await page.setContent(
    `<body style="margin:40px;font:32px/1.7 Liberation Sans,sans-serif;background:#fff;color:#123">${LINES.map(
      (line) =>
        `<p style="margin:0">${line
          .split(' ')
          .map((word) => `<span>${word}</span>`)
          .join(' ')}</p>`,
    ).join('')}</body>`,
  );
  const lines = await page.evaluate(() => {
    const boxOf = (element: Element): [number, number, number, number] => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height].map(Math.round) as [number, number, number, number];
    };
    return Array.from(document.querySelectorAll('p'), (line) => ({
      text: line.textContent,
      box: boxOf(line),
      words: Array.from(line.querySelectorAll('span'), (word) => ({ text: word.textContent, box: boxOf(word) })),
    }));
  });
  return { picture: await page.screenshot(), lines: lines as TextLine[] };
}

/** Uploads the screenshot of a bill, with the text in it. Returns its key. */
async function addScreenshot(page: Page, service: TestService, owner: SignedIn) {
  const { picture, lines } = await screenshot(page);
  const { key } = await uploadImage(service, await owner.token('upload'), picture, {}, 'bill.png');
  await owner.client.call('PATCH /admin/settings', { body: { ocr_enabled: true } });
  await withDatabase(service, async (db) => {
    const image = await db.read.selectFrom('images').selectAll().where('key', '=', key).executeTakeFirstOrThrow();
    // The job may have been faster.
    await db.as('job').write(async (queries) => {
      await queries.deleteFrom('image_texts').where('image_id', '=', image.id).execute();
      await queries.updateTable('images').set({ text_state: null }).where('id', '=', image.id).execute();
      await storeRecognition(queries, image, { state: 'done', lines }, Date.now());
    });
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  return key;
}

test.use({ ownService: true });

test('a picture is found by its text, which is marked, selected and copied in its place', async ({ page, service, owner }) => {
  await addScreenshot(page, service, owner);
  const clipboard = await openClipboard(page, service);
  await page.goto('/?q=invoice');
  await expect(page.getByText('Invoice 2026-114')).toBeVisible();
  await checkPage(page, 'hits in text');
  await page.getByRole('link', { name: /bill\.png.*text in the picture: Invoice 2026-114/ }).click();
  const viewer = page.getByRole('dialog', { name: 'bill.png' });
  const word = (text: string) => viewer.locator('[data-text]').getByText(text, { exact: true });
  await expect(word('Invoice')).toHaveAttribute('data-found', 'true');
  await expect(word('noon')).not.toHaveAttribute('data-found');
  await checkPage(page, 'text in the viewer');
  // A double click selects a word, and doesn't zoom.
  await word('before').dblclick();
  expect((await page.evaluate(() => getSelection()?.toString()))?.trim()).toBe('before');
  const [from, to] = [await word('Call').boundingBox(), await word('noon').boundingBox()];
  if (!from || !to) throw new Error('The words have no place.');
  await page.mouse.move(from.x + 1, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width - 1, to.y + to.height / 2, { steps: 8 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('Call +49 30 1234567 before noon');
  await viewer.getByRole('button', { name: 'Copy all text' }).click();
  expect(await clipboard.readText()).toBe(LINES.join('\n'));
});

test('addresses, numbers and a typed word are covered in one step', async ({ page, service, owner }) => {
  const key = await addScreenshot(page, service, owner);
  await page.goto(`/?picture=${key}`);
  await page.getByRole('button', { name: 'Edit picture' }).click();
  await page.getByRole('button', { name: 'Pixelate' }).click();
  await page.getByRole('button', { name: 'Cover text…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cover text' });
  await expect(dialog.getByRole('checkbox', { name: 'ann@mail.example' })).toBeChecked();
  await dialog.getByLabel('Word to cover').fill('total');
  await expect(dialog.getByRole('checkbox')).toHaveCount(3);
  await checkPage(page, 'covering text');
  await dialog.getByRole('checkbox', { name: '+49 30 1234567' }).uncheck();
  await dialog.getByRole('button', { name: 'Cover 2 places' }).click();
  await expect(dialog).toHaveCount(0);
  // One step: undone at once.
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.click();
  await expect(undo).toBeDisabled();
});

test('recognition is turned on with its languages, and shows its progress; users may opt out', async ({ page, service, owner }) => {
  await uploadImage(service, await owner.token('upload'), (await screenshot(page)).picture, {}, 'bill.png');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/settings/uploads');
  await expect(page.getByRole('heading', { name: 'Default visibility' })).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Recognise text in my pictures' })).toHaveCount(0);
  await page.goto('/admin/settings');
  await page.getByRole('switch', { name: 'Recognise text' }).click();
  await page.getByRole('checkbox', { name: 'Chinese (simplified)' }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  // The bar has no width until a picture is done.
  await expect(page.getByRole('progressbar', { name: /Text recognised in [01] of 1 pictures/ })).toBeAttached();
  await expect(page.getByText(/Text recognised in [01] of 1 pictures/)).toBeVisible();
  await checkPage(page, 'text recognition');
  expect(await owner.client.call('GET /admin/settings', {})).toMatchObject({ ocr_enabled: true, ocr_languages: ['en'] });
  await page.goto('/settings/uploads');
  await page.getByRole('switch', { name: 'Recognise text in my pictures' }).click();
  await expect.poll(async () => (await owner.client.call('GET /user', {})).recognize_text).toBe(false);
});
