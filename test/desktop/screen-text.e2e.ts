import { join } from 'node:path';
import { checkPage } from '#test/e2e/axe.ts';
import { captureTools, choose, editPage, filesIn } from './drafts.ts';
import { expect, test } from './fixtures.ts';

// Text that is read on this computer, from what is never uploaded.

test.skip(process.platform !== 'linux', 'the stand-in for capturing is a program for X11');

const SHOT = join(import.meta.dirname, '../fixtures/text/english.png');
const LINES = 'The upload failed after three attempts\nCheck your network connection';

test('the text of the screen is copied, and nothing else is left of it', async ({ launch, folder }) => {
  const user = join(folder, 'user');
  const desktop = await launch({ userData: user, ...(await captureTools(folder, SHOT)) });
  await desktop.page.getByRole('navigation').first().waitFor();
  await desktop.press('Copy text of the screen…');
  await expect.poll(() => desktop.clipboardText(), { timeout: 150_000 }).toBe(LINES);
  await expect.poll(async () => (await desktop.notifications()).at(-1)).toEqual({ title: 'Text copied', body: LINES });
  expect([...(await filesIn(join(user, 'spool'))).keys()]).toEqual([]);
  const images = await desktop.page.evaluate(
    async () => ((await (await fetch('/api/v1/images')).json()) as { data: { items: unknown[] } }).data.items,
  );
  expect(images).toEqual([]);
});

test('a typed word is covered in a draft before anything is uploaded', async ({ launch, folder }) => {
  const desktop = await launch({ userData: join(folder, 'user'), ...(await captureTools(folder, SHOT)) });
  await choose(desktop, { afterCapture: 'edit' });
  await desktop.press('Capture…');
  const page = await editPage(desktop);
  await page.getByRole('button', { name: 'Cover', exact: true }).click();
  await page.getByRole('button', { name: 'Cover text…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cover text' });
  await dialog.getByLabel('Word to cover').fill('network', { timeout: 150_000 });
  await checkPage(page, 'covering text in a draft');
  await dialog.getByRole('button', { name: 'Cover 1 place' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeEnabled();
});
