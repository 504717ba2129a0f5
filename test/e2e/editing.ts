import type { Page } from 'playwright/test';
import sharp from 'sharp';
import type { SignedIn } from '#test/helpers/service/service.ts';
import { expect } from './web.ts';

export const SIZE = { width: 640, height: 400 };

/** Stripes, the finest detail there is: of them nothing may remain where they are hidden. */
export function stripes(): Promise<Buffer> {
  const data = Buffer.alloc(SIZE.width * SIZE.height * 3, 0);
  for (let at = 0; at < data.length; at += 3) data.fill(Math.floor(at / 12) % 2 ? 255 : 0, at, at + 3);
  return sharp(data, { raw: { ...SIZE, channels: 3 } })
    .png()
    .toBuffer();
}

const raw = (bytes: Buffer) =>
  sharp(bytes).flatten({ background: 'white' }).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });

/** How much of the stripes is left in a part of a picture, from 0 to 255. The part is in shares of the whole, since thumbnails are smaller. */
export async function stripesIn(bytes: Buffer, [left, top, right, bottom]: readonly [number, number, number, number]): Promise<number> {
  const { data, info } = await raw(await sharp(bytes).resize(SIZE.width, SIZE.height, { kernel: 'nearest' }).png().toBuffer());
  let sum = 0;
  let count = 0;
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right - 4; x += 1, count += 1) {
      const at = (y * info.width + x) * info.channels;
      sum += Math.abs((data[at] ?? 0) - (data[at + 4 * info.channels] ?? 0));
    }
  return sum / count;
}

/** The number of pixels of the editor's red. */
export async function redIn(bytes: Buffer): Promise<number> {
  const { data, info } = await raw(bytes);
  let count = 0;
  for (let at = 0; at < data.length; at += info.channels)
    if ((data[at] ?? 0) > 180 && (data[at + 1] ?? 0) < 110 && (data[at + 2] ?? 0) < 110) count += 1;
  return count;
}

export const dialog = (page: Page) => page.getByRole('dialog', { name: 'Edit picture' });
/** A button of the toolbar, by its whole name: “Line” is also in others. */
export const tool = (page: Page, name: string) => dialog(page).getByRole('toolbar').getByRole('button', { name, exact: true });
export const paper = (page: Page) => page.getByTestId('editor-paper');

/** A place on the screen by its place in the picture, where that is shown whole. */
export async function onScreen(page: Page, x: number, y: number) {
  const box = await paper(page).boundingBox();
  if (!box) throw new Error('the editor shows no picture');
  return [box.x + (x * box.width) / SIZE.width, box.y + (y * box.height) / SIZE.height] as const;
}

export async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  await page.mouse.move(...(await onScreen(page, ...from)));
  await page.mouse.down();
  await page.mouse.move(...(await onScreen(page, (from[0] + to[0]) / 2, (from[1] + to[1]) / 2)));
  await page.mouse.move(...(await onScreen(page, ...to)));
  await page.mouse.up();
}

export async function openEditor(page: Page, key: string, address = '') {
  await page.goto(`${address}/?picture=${key}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Edit picture' }).click();
  await expect(paper(page)).toBeVisible();
}

export async function save(page: Page, way: 'Save as a copy' | 'Replace the picture') {
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('menuitem', { name: way }).click();
}

/** The key of the picture that the address names. */
export const openKey = (page: Page) => new URL(page.url()).searchParams.get('picture') ?? '';

export const bytesOf = async (address: string, who?: SignedIn) => {
  const response = await fetch(address, who && { headers: { cookie: who.cookie } });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
};
