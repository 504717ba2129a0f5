import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, png, test } from './fixtures.ts';

test('a watch folder shows what is in it before the first upload, then uploads and trashes it', async ({ desktop, folder }) => {
  const { page } = desktop;
  const inbox = join(folder, 'inbox');
  await mkdir(join(inbox, 'trip'), { recursive: true });
  await writeFile(join(inbox, 'one.png'), await png('#123'));
  await writeFile(join(inbox, 'trip', 'two.png'), await png('#456'));
  await writeFile(join(inbox, 'broken.png'), 'not a picture');
  await writeFile(join(inbox, 'notes.txt'), 'text');
  await page.getByRole('link', { name: 'Folders' }).click();
  await expect(page.getByRole('heading', { name: 'No watch folders yet' })).toBeVisible();
  await checkPage(page, 'no watch folders');
  await desktop.choose(inbox);
  await page.getByRole('button', { name: 'Choose a folder…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Watch a folder' });
  await expect(dialog.getByText('These won’t be uploaded.')).toBeVisible();
  await dialog.getByRole('radio', { name: 'The 3 existing pictures as well' }).click();
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('3 pictures');
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('You have enough storage');
  await dialog.getByText('Move to trash').click();
  await dialog.getByRole('combobox', { name: 'Album' }).click();
  await page.getByRole('option', { name: 'One per subfolder' }).click();
  await checkPage(page, 'a new watch folder');
  await dialog.getByRole('button', { name: 'Start watching' }).click();

  const row = page.getByRole('listitem', { name: 'inbox' });
  await expect(row).toContainText('2 pictures uploaded · 1 rejected');
  await expect.poll(async () => (await readdir(inbox, { recursive: true })).sort()).toEqual(['broken.png', 'notes.txt', 'trip']);
  await row.getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('dialog', { name: 'History of inbox' });
  await expect(history.getByText('Moved to the trash.')).toHaveCount(2);
  await history.getByRole('textbox', { name: 'Search by file name' }).fill('broken');
  await expect(history.getByText('Not uploaded.')).toContainText('isn’t a supported picture');
  await expect(history.getByText('trip/two.png')).toHaveCount(0);
  await checkPage(page, 'the history of a watch folder');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Albums' }).click();
  for (const album of ['inbox', 'trip']) await expect(page.getByRole('link', { name: album })).toBeVisible();
  expect(await desktop.clipboardText()).toBe('');
});

test('the screenshots folder is offered; pausing from the tray and an absent folder are shown', async ({ desktop, folder }) => {
  test.skip(process.platform !== 'linux', 'sets the folder in the tool of a Linux desktop');
  const { page } = desktop;
  const shots = join(folder, 'Screenshots');
  await mkdir(shots, { recursive: true });
  await mkdir(join(folder, 'user', 'appData'), { recursive: true });
  await writeFile(join(folder, 'user', 'appData', 'spectaclerc'), `[ImageSave]\nimageSaveLocation=file://${shots}\n`);
  await writeFile(join(shots, 'old.png'), await png('#111'));
  await page.getByRole('link', { name: 'Folders' }).click();
  await page.getByRole('button', { name: 'Watch this folder…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start watching' }).click();
  const row = page.getByRole('listitem', { name: 'Screenshots' });
  await expect(row).toContainText('Watching');
  await expect(page.getByRole('button', { name: 'Watch this folder…' })).toHaveCount(0);
  await writeFile(join(shots, 'new.png'), await png('#222'));
  await expect(row).toContainText('1 picture uploaded');

  await expect.poll(() => desktop.labels('Watch folders')).toContain('Screenshots: watching');
  await desktop.press('Watch folders', 'Screenshots: watching', 'Pause');
  await expect(row).toContainText('Paused');
  await writeFile(join(shots, 'while paused.png'), await png('#333'));
  await row.getByRole('button', { name: 'Resume Screenshots' }).click();
  await expect(row).toContainText('2 pictures uploaded');

  await rename(shots, `${shots} elsewhere`);
  await expect(row).toContainText('Waiting');
  await expect(row).toContainText('Can’t find this folder.');
  await writeFile(join(`${shots} elsewhere`, 'third.png'), await png('#444'));
  await desktop.choose(`${shots} elsewhere`);
  await row.getByRole('button', { name: 'More for Screenshots' }).click();
  await page.getByRole('menuitem', { name: 'Locate moved folder…' }).click();
  await expect(page.getByRole('listitem', { name: 'Screenshots elsewhere' })).toContainText('3 pictures uploaded');
});
