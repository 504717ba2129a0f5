import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { audit, checkPage } from '#test/e2e/axe.ts';
import { bytesOf, dialog, drag, onScreen, openEditor, openKey, paper, SIZE, save, stripes, tool } from '#test/e2e/editing.ts';
import { expect, test } from '#test/e2e/web.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

type Area = readonly [left: number, top: number, right: number, bottom: number];

/** The pixels of a part of a picture, as red, green and blue. */
async function pixelsIn(bytes: Buffer, [left, top, right, bottom]: Area): Promise<[number, number, number][]> {
  const part = sharp(bytes)
    .flatten({ background: 'white' })
    .extract({ left, top, width: right - left, height: bottom - top });
  const data = await part.toColourspace('srgb').raw().toBuffer();
  return Array.from({ length: data.length / 3 }, (_, at) => [data[3 * at] ?? 0, data[3 * at + 1] ?? 0, data[3 * at + 2] ?? 0]);
}

const isNear = (colour: readonly number[]) => (pixel: readonly number[]) =>
  pixel.every((value, at) => Math.abs(value - (colour[at] ?? 0)) < 40);
const share = async (bytes: Buffer, area: Area, colour: readonly number[]) => {
  const pixels = await pixelsIn(bytes, area);
  return pixels.filter(isNear(colour)).length / pixels.length;
};
const RED = [229, 52, 43];
const BLUE = [28, 126, 214];
const BLACK = [20, 26, 28];

const white = () =>
  sharp({ create: { ...SIZE, channels: 3, background: 'white' } })
    .png()
    .toBuffer();

const look = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });

test('every tool draws what is saved, and hides what it covers', async ({ page, service, owner }) => {
  const token = await owner.token('upload');
  const image = await uploadImage(service, token, await white(), {}, 'paper.png');
  await openEditor(page, image.key);
  // One key each; what was just drawn stays selected until the next.
  await page.keyboard.press('d');
  await drag(page, [20, 20], [120, 60]);
  await page.keyboard.press('h');
  await drag(page, [20, 100], [160, 104]);
  await page.keyboard.press('e');
  await drag(page, [200, 20], [280, 80]);
  await page.keyboard.press('l');
  await drag(page, [320, 20], [420, 60]);
  await page.keyboard.press('k');
  await drag(page, [460, 20], [540, 60]);
  await page.keyboard.press('m');
  await drag(page, [60, 300], [120, 200]);
  await page.getByRole('textbox', { name: 'Text' }).fill('Look');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('n');
  for (const x of [300, 360, 420]) await page.mouse.click(...(await onScreen(page, x, 220)));
  // With the keyboard alone, and undone.
  await page.getByTestId('editor-stage').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+y');
  await checkPage(page, 'editor with every tool');
  await save(page, 'Save as a copy');
  await page.getByRole('button', { name: 'Make the original private' }).click();
  await expect.poll(() => openKey(page)).not.toBe(image.key);
  const { bytes } = await bytesOf(`${service.url}/i/${openKey(page)}.png`);
  expect(await share(bytes, [66, 34, 74, 46], RED)).toBeGreaterThan(0.2);
  expect(await share(bytes, [30, 98, 150, 104], [255, 224, 110])).toBeGreaterThan(0.9);
  // An ellipse touches the middles of its edges and not its corners.
  expect(await share(bytes, [198, 46, 203, 54], RED)).toBeGreaterThan(0.3);
  expect(await share(bytes, [200, 20, 206, 26], RED)).toBe(0);
  expect(await share(bytes, [366, 36, 374, 44], RED)).toBeGreaterThan(0.2);
  expect(await share(bytes, [462, 22, 538, 58], BLACK)).toBe(1);
  expect(await share(bytes, [76, 260, 84, 280], RED)).toBeGreaterThan(0.1);
  for (const x of [300, 360, 420]) expect(await share(bytes, [x - 9, 215, x - 5, 225], RED), String(x)).toBeGreaterThan(0.8);
  expect(await share(bytes, [590, 360, 640, 400], [255, 255, 255])).toBe(1);
});

test('covered content is gone under a spotlight, too', async ({ page, service, owner }) => {
  const image = await uploadImage(service, await owner.token('upload'), await stripes(), {}, 'stripes.png');
  await openEditor(page, image.key);
  for (const [key, from, to] of [
    ['k', [40, 40], [140, 80]],
    // Blocks of 16 pixels, which have as many bright stripes as dark ones.
    ['p', [40, 120], [232, 168]],
    ['u', [340, 120], [560, 180]],
    // Blurred later, which must not bring back what is below the cover.
    ['u', [110, 30], [190, 60]],
    ['s', [20, 20], [300, 380]],
    ['s', [250, 200], [460, 380]],
  ] as const) {
    await page.keyboard.press(key);
    await drag(page, from, to);
  }
  await save(page, 'Replace the picture');
  await expect(page.getByText('Picture replaced')).toBeVisible();
  const { bytes } = await bytesOf(image.links.url);
  expect(await share(bytes, [42, 42, 138, 78], BLACK)).toBe(1);
  const brightest = async (area: Area) => Math.max(...(await pixelsIn(bytes, area)).map(([red]) => red));
  const darkest = async (area: Area) => Math.min(...(await pixelsIn(bytes, area)).map(([red]) => red));
  // Stripes from 0 to 255 become one grey: as bright as it was in a spotlight, and darkened elsewhere.
  for (const [area, low, high] of [
    [[42, 122, 230, 166], 100, 155],
    [[342, 122, 558, 178], 30, 75],
  ] as const) {
    expect(await darkest(area)).toBeGreaterThan(low);
    expect(await brightest(area)).toBeLessThan(high);
  }
  // Where two spotlights overlap it is bright, and nothing is hidden outside of them.
  expect(await brightest([260, 210, 290, 370])).toBe(255);
  expect(await brightest([480, 210, 620, 370])).toBeLessThan(130);
  expect(await darkest([480, 210, 620, 370])).toBeLessThan(10);
});

test('marks are copied to other pictures, and each tool keeps its look', async ({ page, service, owner }) => {
  const token = await owner.token('upload');
  const [first, second] = [
    await uploadImage(service, token, await white(), {}, 'first.png'),
    await uploadImage(service, token, await stripes(), {}, 'second.png'),
  ];
  await openEditor(page, first.key);
  await tool(page, 'Box').click();
  await dialog(page).getByRole('switch', { name: 'Filled' }).click();
  await drag(page, [100, 100], [200, 150]);
  await tool(page, 'Pen').click();
  await look(page, 'Blue').click();
  await look(page, 'Thick').click();
  await tool(page, 'Box').click();
  await expect(look(page, 'Red')).toHaveAttribute('aria-pressed', 'true');
  await tool(page, 'Select').click();
  await page.mouse.click(...(await onScreen(page, 150, 125)));
  await page.keyboard.press('Control+d');
  await page.keyboard.press('Control+x');
  await expect(look(page, 'Delete shape')).toHaveCount(0);
  await look(page, 'Paste shape').click();
  await expect(look(page, 'Duplicate shape')).toBeVisible();
  expect(await audit(page)).toEqual([]);
  // Two boxes: the first, and the one that was cut out and pasted.
  await page.keyboard.press('Delete');
  await page.getByTestId('editor-stage').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Delete');
  await expect(look(page, 'Delete shape')).toHaveCount(0);
  await page.keyboard.press('Space');
  await expect(look(page, 'Delete shape')).toHaveCount(0);
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('Control+z');
  await page.keyboard.press('+');
  await expect(dialog(page).getByRole('button', { name: 'Fit to window' })).toBeEnabled();
  await page.keyboard.press('0');
  await expect(dialog(page).getByRole('button', { name: 'Fit to window' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Discard' }).click();
  await expect(dialog(page)).toHaveCount(0);

  // Another picture in the same page.
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: /second\.png/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Edit picture' }).click();
  await expect(paper(page)).toBeVisible();
  await page.keyboard.press('Control+v');
  await expect(look(page, 'Delete shape')).toBeVisible();
  await save(page, 'Replace the picture');
  await expect(page.getByText('Picture replaced')).toBeVisible();
  const pixels = await pixelsIn((await bytesOf(second.links.url)).bytes, [0, 0, SIZE.width, SIZE.height]);
  // One box, with the pixels that its edges touched.
  const red = pixels.filter(isNear(RED)).length;
  expect(red).toBeGreaterThanOrEqual(100 * 50);
  expect(red).toBeLessThanOrEqual(102 * 52);

  await page.reload();
  await page.getByRole('dialog').getByRole('button', { name: 'Edit picture' }).click();
  await expect(paper(page)).toBeVisible();
  await page.keyboard.press('d');
  await expect(look(page, 'Blue')).toHaveAttribute('aria-pressed', 'true');
  await expect(look(page, 'Thick')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('b');
  await expect(look(page, 'Red')).toHaveAttribute('aria-pressed', 'true');
  // An opaque box would be a surprise.
  await expect(dialog(page).getByRole('switch', { name: 'Filled' })).not.toBeChecked();
  await page.keyboard.press('d');
  await drag(page, [20, 20], [120, 60]);
  await save(page, 'Replace the picture');
  await expect.poll(async () => share((await bytesOf(second.links.url)).bytes, [68, 37, 72, 43], BLUE)).toBeGreaterThan(0.5);
});

test('a frame surrounds what is saved, and is remembered without being put around the next picture', async ({ page, service, owner }) => {
  const token = await owner.token('upload');
  const photo = await sharp({ create: { ...SIZE, channels: 3, background: 'white' } })
    .jpeg()
    .toBuffer();
  const image = await uploadImage(service, token, photo, { visibility: 'private' }, 'photo.jpg');
  await openEditor(page, image.key);
  await page.keyboard.press('f');
  const frame = dialog(page).getByRole('switch', { name: 'Frame' });
  await expect(frame).not.toBeChecked();
  await frame.press('Space');
  await look(page, 'Sunset').click();
  await dialog(page).getByRole('group', { name: 'Space' }).getByRole('button', { name: 'Large' }).click();
  await look(page, 'Very rounded').click();
  await checkPage(page, 'editor with a frame');
  // Each choice is a step.
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  await expect(look(page, 'Rounded')).toHaveAttribute('aria-pressed', 'true');
  await dialog(page).getByRole('button', { name: 'Redo' }).click();
  await save(page, 'Save as a copy');
  await expect.poll(() => openKey(page)).not.toBe(image.key);
  const address = `${service.url}/i/${openKey(page)}`;
  const { bytes } = await bytesOf(`${address}.jpg`, owner);
  const space = Math.round(SIZE.width * 0.14);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: SIZE.width + 2 * space, height: SIZE.height + 2 * space });
  expect(await share(bytes, [2, 2, 10, 10], [255, 216, 168])).toBe(1);
  expect(await share(bytes, [space, space, space + 3, space + 3], [255, 255, 255])).toBe(0);
  expect(await share(bytes, [space + 20, space + 20, space + 600, space + 380], [255, 255, 255])).toBe(1);
  for (const who of [undefined, await addUser(service, 'bea')])
    expect((await bytesOf(`${address}.jpg`, who)).status).toBeGreaterThanOrEqual(401);

  // Another picture has none until it is asked for. Without a background, JPEG can't hold it.
  await page.keyboard.press('e');
  await expect(paper(page)).toBeVisible();
  await page.keyboard.press('f');
  await expect(frame).not.toBeChecked();
  await expect(look(page, 'Save')).toBeDisabled();
  await frame.press('Space');
  await expect(look(page, 'Sunset')).toHaveAttribute('aria-pressed', 'true');
  await look(page, 'Transparent').click();
  const before = openKey(page);
  await save(page, 'Save as a copy');
  await expect.poll(() => openKey(page)).not.toBe(before);
  const clear = await sharp((await bytesOf(`${service.url}/i/${openKey(page)}.png`, owner)).bytes)
    .raw()
    .toBuffer();
  expect(clear[3]).toBe(0);
});

test('marks are drawn beside and across the last one, and a crop across the picture', async ({ page, service, owner }) => {
  const image = await uploadImage(service, await owner.token('upload'), await white(), {}, 'paper.png');
  await openEditor(page, image.key);
  // Two strokes and two arrows that meet: the second would have bent the first.
  await page.keyboard.press('d');
  await drag(page, [40, 40], [140, 40]);
  await expect(look(page, 'Delete shape')).toHaveCount(0);
  await drag(page, [140, 40], [140, 140]);
  await page.keyboard.press('a');
  await drag(page, [300, 40], [420, 40]);
  await drag(page, [420, 42], [420, 160]);
  await page.keyboard.press('c');
  await drag(page, [20, 20], [520, 220]);
  await expect(dialog(page).getByText('500 × 200')).toBeVisible();
  await page.keyboard.press('Enter');
  await save(page, 'Save as a copy');
  await expect.poll(() => openKey(page)).not.toBe(image.key);
  const { bytes } = await bytesOf(`${service.url}/i/${openKey(page)}.png`);
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 500, height: 200 });
  for (const [left, top, right, bottom] of [
    [60, 19, 80, 21],
    [119, 60, 121, 80],
    [300, 19, 320, 21],
    [399, 60, 401, 80],
  ] as const)
    expect(await share(bytes, [left, top, right, bottom], RED), `${left}`).toBeGreaterThan(0.6);
});

test('keys save, zoom, show the list of keys and select no text of the page', async ({ page, service, owner }) => {
  const small = await sharp({ create: { width: 320, height: 90, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  const image = await uploadImage(service, await owner.token('upload'), small, {}, 'small.png');
  await openEditor(page, image.key);
  const zoom = dialog(page).getByLabel('Zoom', { exact: true });
  await expect(zoom).toHaveText('100%');
  expect((await paper(page).boundingBox())?.width).toBe(320);
  await page.keyboard.press('+');
  await expect(zoom).toHaveText('125%');
  await page.keyboard.press('1');
  await expect(zoom).toHaveText('100%');
  await page.keyboard.press('Control+a');
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help.getByText('Select the next shape')).toBeVisible();
  expect(await audit(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(dialog(page).getByRole('button', { name: 'Undo' })).toHaveAttribute('title', 'Undo (Ctrl+Z)');

  // However a text ends, it isn't selected, and what is pressed next begins nothing new.
  for (const end of ['Escape', 'Control+Enter', 'click'] as const) {
    await page.keyboard.press('t');
    const box = await paper(page).boundingBox();
    await page.mouse.click((box?.x ?? 0) + 40, (box?.y ?? 0) + 30);
    await page.getByRole('textbox', { name: 'Text' }).fill(end);
    if (end === 'click') await page.mouse.click((box?.x ?? 0) + 250, (box?.y ?? 0) + 70);
    else await page.keyboard.press(end);
    await expect(page.getByRole('textbox', { name: 'Text' })).toHaveCount(0);
    await expect(look(page, 'Delete shape')).toHaveCount(0);
    await expect(tool(page, 'Select')).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('Control+z');
  }
  await page.keyboard.press('Control+Shift+Z');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('menuitem', { name: 'Save as a copy' })).toBeVisible();
});
