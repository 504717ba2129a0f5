import { hash } from 'node:crypto';
import sharp from 'sharp';
import { createAlbum } from '#api/albums/albums.ts';
import { getImage } from '#api/images/images.ts';
import { listTrash } from '#api/images/trash.ts';
import { audit, checkPage } from '#test/e2e/axe.ts';
import {
  bytesOf,
  dialog,
  drag,
  onScreen,
  openEditor,
  openKey,
  paper,
  redIn,
  SIZE,
  save,
  stripes,
  stripesIn,
  tool,
} from '#test/e2e/editing.ts';
import { expect, signIn, test } from '#test/e2e/web.ts';
import { animatedGif, photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { averageDifference } from '#test/helpers/pictures/pixels.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test('a picture is edited with every tool and saved as a copy with the same settings', { tag: '@essential' }, async ({
  page,
  service,
  owner,
}) => {
  const album = await owner.client.call(createAlbum, { body: { name: 'Notes', visibility: 'private' } });
  const token = await owner.token('upload');
  const original = await sharp({ create: { ...SIZE, channels: 4, background: { r: 120, g: 130, b: 140, alpha: 0.5 } } })
    .png()
    .toBuffer();
  const image = await uploadImage(
    service,
    token,
    original,
    { album_id: album.id, tags: 'draft', title: 'Plan', visibility: 'private' },
    'plan.png',
  );
  await openEditor(page, image.key);
  const undo = dialog(page).getByRole('button', { name: 'Undo' });
  await expect(dialog(page).getByRole('button', { name: 'Save', exact: true })).toBeDisabled();

  await tool(page, 'Box').click();
  await drag(page, [40, 40], [160, 120]);
  await tool(page, 'Arrow').click();
  await drag(page, [220, 60], [320, 200]);
  await tool(page, 'Text').click();
  await page.mouse.click(...(await onScreen(page, 400, 60)));
  await page.getByRole('textbox', { name: 'Text' }).fill('Here');
  await page.keyboard.press('Control+Enter');
  await tool(page, 'Blur').click();
  await drag(page, [40, 200], [160, 240]);
  await expect(dialog(page).getByRole('button', { name: 'Delete shape' })).toBeVisible();
  await page.keyboard.press('Delete');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+Shift+Z');
  await expect(dialog(page).getByRole('button', { name: 'Redo' })).toBeDisabled();
  // The colour of the selected mark, moved and made larger by keys.
  await tool(page, 'Select').click();
  await page.getByTestId('editor-stage').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await dialog(page).getByRole('button', { name: 'Blue' }).click();
  await expect(dialog(page).getByRole('button', { name: 'Blue' })).toHaveAttribute('aria-pressed', 'true');
  await undo.click();
  await expect(dialog(page).getByRole('button', { name: 'Red', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await tool(page, 'Rotate right').click();
  await tool(page, 'Crop').click();
  await dialog(page).getByRole('button', { name: '1:1' }).click();
  await expect(dialog(page).getByText('400 × 400')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Apply' }).click();
  await save(page, 'Save as a copy');
  await expect(page.getByText('Saved as a copy')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Plan' })).toBeVisible();
  await expect.poll(() => openKey(page)).not.toBe(image.key);

  const copy = await owner.client.call(getImage, { params: { key: openKey(page) } });
  expect(copy).toMatchObject({
    width: 400,
    height: 400,
    ext: 'png',
    name: 'plan (edited).png',
    title: 'Plan',
    tags: ['draft'],
    album_id: album.id,
    visibility: 'private',
    taken_at: image.taken_at,
  });
  const { bytes } = await bytesOf(`${service.url}/i/${copy.key}.png`, owner);
  expect(await redIn(bytes)).toBeGreaterThan(1_000);
  // Half transparent still.
  expect((await sharp(bytes).extract({ left: 2, top: 200, width: 1, height: 1 }).raw().toBuffer())[3]).toBe(128);
  expect((await bytesOf(image.links.url, owner)).bytes.equals((await bytesOf(`${service.url}/i/${image.key}.png`, owner)).bytes)).toBe(
    true,
  );
  expect(await redIn((await bytesOf(image.links.url, owner)).bytes)).toBe(0);
  // Back leads to the picture that was edited.
  await page.goBack();
  await expect.poll(() => openKey(page)).toBe('');
});

test('a replaced picture keeps its link, is new everywhere at once, and keeps what was hidden from everyone else', {
  tag: '@essential',
}, async ({ page, service, owner, browser }) => {
  const other = await addUser(service, 'bea');
  const image = await uploadImage(service, await owner.token('upload'), await stripes(), {}, 'secret.png');
  const areas = { pixelated: [40, 40, 300, 100], blurred: [40, 200, 300, 330], open: [400, 40, 600, 360] } as const;
  for (const area of Object.values(areas)) expect(await stripesIn(await stripes(), area)).toBe(255);
  // A visitor whose browser has the picture, by its link, its thumbnail and its share page.
  const visitor = await browser.newContext({ baseURL: service.url });
  const visitorPage = await visitor.newPage();
  await visitorPage.goto(`/s/${image.key}`);
  const hashes = () =>
    visitorPage.evaluate(
      async (addresses) => {
        const sums = [];
        for (const address of addresses) {
          const bytes = await (await fetch(address)).arrayBuffer();
          sums.push(
            [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
          );
        }
        return sums;
      },
      [`/i/${image.key}.png`, `/t/${image.key}.jpg?w=480`],
    );
  const before = await hashes();

  // At the address of this computer; the other scenarios use one that browsers trust less.
  await signIn(page.context(), owner, service.url);
  await openEditor(page, image.key, service.url);
  await page.keyboard.press('p');
  await drag(page, [30, 30], [310, 110]);
  await page.keyboard.press('u');
  await drag(page, [30, 190], [310, 340]);
  await save(page, 'Replace the picture');
  await expect(page.getByText('Picture replaced')).toBeVisible();
  expect(openKey(page)).toBe(image.key);
  const now = await owner.client.call(getImage, { params: { key: image.key } });
  const version = `v=${now.sha256.slice(0, 16)}`;
  await expect(page.getByRole('dialog').getByRole('img', { name: 'secret.png' }).first()).toHaveAttribute('src', new RegExp(version));

  const after = await hashes();
  expect(after[0]).toBe(now.sha256);
  expect(after[1]).not.toBe(before[1]);
  await visitorPage.reload();
  const shown = visitorPage.getByRole('img', { name: 'Shared picture secret.png' });
  await expect(shown).toBeVisible();
  const shownAddress = await shown.evaluate((element: HTMLImageElement) => element.currentSrc);
  const addresses = [image.links.url, shownAddress, ...[120, 400, 800].map((width) => `${service.url}/t/${image.key}.jpg?w=${width}`)];
  for (const who of [undefined, other])
    for (const address of addresses) {
      const { status, bytes } = await bytesOf(address, who);
      expect([address, status]).toEqual([address, 200]);
      expect(await stripesIn(bytes, areas.pixelated), address).toBeLessThan(12);
      expect(await stripesIn(bytes, areas.blurred), address).toBeLessThan(12);
    }
  expect(await stripesIn((await bytesOf(image.links.url)).bytes, areas.open)).toBe(255);
  expect(hash('sha256', (await bytesOf(image.links.url)).bytes)).toBe(now.sha256);

  // The previous version is only in its owner's trash, which puts it back behind the same link.
  const [kept] = (await owner.client.call(listTrash, { query: {} })).items;
  if (!kept) throw new Error('no previous version in the trash');
  expect(kept.version_of).toBe(image.key);
  for (const who of [undefined, other])
    for (const path of [`/i/${kept.key}.png`, `/t/${kept.key}.jpg?w=400`, `/api/v1/trash/${kept.key}/thumbnail`])
      expect((await bytesOf(service.url + path, who)).status, path).toBeGreaterThanOrEqual(401);
  await page.goto(`${service.url}/trash`);
  await page.getByRole('link', { name: 'Open Previous version of secret.png' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('Version restored')).toBeVisible();
  expect(await hashes()).toEqual(before);
  for (const who of [undefined, other]) expect((await bytesOf(`${service.url}/i/${kept.key}.png`, who)).status).toBeGreaterThanOrEqual(401);
  await visitor.close();
});

test('the editor is accessible, keeps a drawing that could not be saved, and asks before it is lost', async ({
  page,
  service,
  owner,
  complaints,
}) => {
  const token = await owner.token('upload');
  const photo = await photoJpeg({ width: 320, height: 200, orientation: 6, smooth: true, quality: 95 });
  const image = await uploadImage(service, token, photo, {}, 'upright.jpg');
  await openEditor(page, image.key);
  await page.keyboard.press('b');
  await page.getByTestId('editor-stage').focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('button', { name: 'Delete shape' })).toBeVisible();
  await checkPage(page, 'editor');
  await page.keyboard.press('c');
  await expect(dialog(page).getByText('200 × 320')).toBeVisible();
  expect(await audit(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.route('**/api/v1/upload?*', (route) => route.abort());
  await save(page, 'Save as a copy');
  await expect(dialog(page).getByRole('alert')).toContainText('Your changes are still here');
  await page.goBack();
  const question = page.getByRole('dialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toHaveCount(0);
  await page.unroute('**/api/v1/upload?*');
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Saved as a copy')).toBeVisible();
  await expect.poll(() => openKey(page)).not.toBe(image.key);
  const { bytes } = await bytesOf(`${service.url}/i/${openKey(page)}.jpg`);
  const { format, width, height, orientation } = await sharp(bytes).metadata();
  expect([format, width, height, orientation]).toEqual(['jpeg', 200, 320, undefined]);
  expect(await averageDifference(bytes, photo)).toBeLessThan(12);
  expect(await redIn(bytes)).toBeGreaterThan(100);

  // A copy with a cover warns of its original, which still shows everything.
  const open = openKey(page);
  await page.keyboard.press('e');
  await expect(paper(page)).toBeVisible();
  await page.keyboard.press('p');
  await expect(dialog(page).getByRole('button', { name: 'Pixelate', pressed: true })).toBeVisible();
  await page.getByTestId('editor-stage').focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('button', { name: 'Delete shape' })).toBeVisible();
  await save(page, 'Save as a copy');
  await page.getByRole('button', { name: 'Make the original private' }).click();
  await expect(page.getByText('Only you can open the original now')).toBeVisible();
  expect((await owner.client.call(getImage, { params: { key: open } })).visibility).toBe('private');
  await expect.poll(() => openKey(page)).not.toBe(open);

  // Without a change, nothing is asked.
  await page.keyboard.press('e');
  await expect(paper(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  const animation = await uploadImage(service, token, await animatedGif(), {}, 'moving.gif');
  await page.goto(`/?picture=${animation.key}&edit=true`);
  await expect(dialog(page).getByRole('heading', { name: 'Animated pictures can’t be edited here' })).toBeVisible();
  expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
});

test('Escape keeps the text that is being written, and then leaves the editor', async ({ page, service, owner }) => {
  const image = await uploadImage(service, await owner.token('upload'), await stripes(), {}, 'stripes.png');
  await openEditor(page, image.key);
  await page.keyboard.press('t');
  await page.mouse.click(...(await onScreen(page, 300, 200)));
  await page.getByRole('textbox', { name: 'Text' }).fill('Here');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('textbox', { name: 'Text' })).toHaveCount(0);
  await expect(dialog(page).getByRole('button', { name: 'Undo' })).toBeEnabled();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Discard' }).click();
  await expect(dialog(page)).toHaveCount(0);
});

test('a picture is replaced with a file of the computer', async ({ page, service, owner }) => {
  const image = await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 1 }), {}, 'one.jpg');
  await page.goto(`/?picture=${image.key}`);
  const next = await png({ seed: 2, width: 100, height: 80 });
  const choose = async (name: string, buffer: Buffer, mimeType: string) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('dialog').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Replace the picture…' }).click();
    await (await chooser).setFiles({ name, mimeType, buffer });
  };
  const question = page.getByRole('dialog', { name: 'Replace the picture?' });
  await choose('notes.txt', Buffer.from('no picture'), 'text/plain');
  await expect(question.getByRole('alert')).toBeVisible();
  await expect(question.getByRole('button', { name: 'Replace' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await choose('two.png', next, 'image/png');
  await expect(question).toContainText('The link stays the same');
  await expect(page.getByRole('menu')).toHaveCount(0);
  expect(await audit(page)).toEqual([]);
  await question.getByRole('button', { name: 'Replace' }).click();
  await expect(page.getByText('Picture replaced')).toBeVisible();
  await expect(page.getByText('100 × 80')).toBeVisible();
  expect(await sharp((await bytesOf(image.links.url)).bytes).metadata()).toMatchObject({ format: 'png', width: 100, height: 80 });

  // The two are compared with the keyboard, and the earlier one comes back behind the same link.
  await page.getByRole('dialog').getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Compare with earlier versions' }).click();
  const comparison = page.getByRole('dialog', { name: 'Compare with earlier versions' });
  await expect(comparison.getByRole('img', { name: /^Until \d/ })).toBeVisible();
  await expect(comparison.getByRole('img', { name: 'Now' })).toHaveJSProperty('complete', true);
  const divider = comparison.getByRole('slider', { name: 'Divider between the versions' });
  await expect(divider).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(divider).toHaveValue('51');
  expect(await audit(page)).toEqual([]);
  await comparison.getByRole('button', { name: 'Restore this version' }).click();
  await expect(page.getByText('Version restored')).toBeVisible();
  await expect(comparison).toHaveCount(0);
  await expect(page.getByText('100 × 80')).toHaveCount(0);
  expect(await sharp((await bytesOf(image.links.url)).bytes).metadata()).toMatchObject({ format: 'jpeg' });
});
