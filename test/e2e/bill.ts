import type { Page } from 'playwright/test';
import type { TextLine } from '#api/images/text.ts';
import { storeRecognition } from '#server/core/images/text/recognized.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

/** The lines of the screenshot. */
export const LINES = ['Invoice 2026-114', 'Pay to ann@mail.example', 'Call +49 30 1234567 before noon', '今日特价 total 42.17'];

/** A screenshot with these lines, and the text as it is recognised in it. */
export async function screenshot(page: Page) {
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
export async function addScreenshot(page: Page, service: TestService, owner: SignedIn) {
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
