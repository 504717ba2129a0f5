import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, type Page } from 'playwright/test';
import sharp from 'sharp';
import type { Preferences } from '#api/desktop/preferences.ts';
import type { Desktop } from './driver.ts';
import type { LaunchOptions } from './launch.ts';

const TOOLS = ['slop', 'maim', 'scrot', 'xfce4-screenshooter', 'gnome-screenshot', 'spectacle', 'flameshot'];

/** Stands in for this computer's programs that capture the screen: they "capture" a file. `after`: a command that follows. */
export async function captureTools(folder: string, shot: string, after = ''): Promise<Partial<LaunchOptions>> {
  const bin = join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const script = `#!/bin/sh\ncase "$0" in *slop) echo 60x40+1+2; exit;; esac\nfor last in "$@"; do :; done\ncp '${shot}' "$last"\n${after}\n`;
  for (const name of TOOLS) await writeFile(join(bin, name), script, { mode: 0o755 });
  return { env: { PATH: `${bin}:/usr/bin:/bin`, XDG_CURRENT_DESKTOP: 'i3' } };
}

/** Changes preferences once the window shows a page of the app. */
export async function choose({ page }: Desktop, change: Partial<Preferences>): Promise<void> {
  await page.getByRole('navigation').first().waitFor();
  await page.evaluate(async (wanted) => void (await window.pixdock?.setPreferences(wanted)), change);
}

/** The page of drafts once it shows one. */
export async function editPage({ app }: Desktop): Promise<Page> {
  const find = () => app.windows().find((page) => page.url().endsWith('/edit.html'));
  await expect.poll(() => find() !== undefined, { timeout: 30_000 }).toBe(true);
  const page = find() as Page;
  await page.getByTestId('editor-stage').waitFor();
  return page;
}

/** Covers a part of the picture, given in its pixels. */
export async function cover(page: Page, [left, top, right, bottom]: [number, number, number, number], width: number): Promise<void> {
  await page.getByRole('button', { name: 'Pixelate' }).click();
  const paper = await page.getByTestId('editor-paper').boundingBox();
  if (!paper) throw new Error('There is no picture.');
  const scale = paper.width / width;
  await page.mouse.move(paper.x + left * scale, paper.y + top * scale);
  await page.mouse.down();
  await page.mouse.move(paper.x + right * scale, paper.y + bottom * scale, { steps: 4 });
  await page.mouse.up();
}

/** All files of a folder, by path. */
export async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path).catch(() => Buffer.alloc(0))] as const)));
}

/** The files among these that contain a part of a picture: of its file, or of its pixels once they are decoded. */
export async function filesWith(files: Map<string, Buffer>, picture: Buffer, row: Buffer): Promise<string[]> {
  const part = picture.subarray(Math.floor(picture.length / 2), Math.floor(picture.length / 2) + 48);
  const found = [];
  for (const [path, bytes] of files) {
    if (bytes.length === 0) continue;
    const decoded = await sharp(bytes)
      .removeAlpha()
      .raw()
      .toBuffer()
      .catch(() => Buffer.alloc(0));
    if (bytes.includes(part) || bytes.includes(row) || decoded.includes(row)) found.push(path);
  }
  return found;
}

/** What an app's journal has of its drafts, and the number of pictures that its service has. The app may be running. */
export function keptIn(userData: string): { drafts: { marks: number }[]; uploaded: number } {
  const all = (path: string, sql: string) => {
    const db = new DatabaseSync(join(userData, path), { readOnly: true, timeout: 10_000 }); // the service ends a little later
    const rows = db.prepare(sql).all();
    db.close();
    return rows;
  };
  const drafts = all('uploads.db', "SELECT json_array_length(marks, '$.marks') AS marks FROM items WHERE state = 'draft'");
  return {
    drafts: drafts.map(({ marks }) => ({ marks: Number(marks ?? 0) })),
    uploaded: Number(all('data/pixdock.db', 'SELECT COUNT(*) AS count FROM images')[0]?.count),
  };
}

/** The size of {@link stroke}'s picture, in cells of its side. */
const CELLS = { across: 13, down: 10, side: 60 };
export const DRAWN_ON = { width: CELLS.across * CELLS.side, height: CELLS.down * CELLS.side };

/** Draws the mark with a number, apart from those with other numbers. */
export async function stroke(page: Page, number: number): Promise<void> {
  const [left, top] = [(number % CELLS.across) * CELLS.side + 15, (Math.floor(number / CELLS.across) % CELLS.down) * CELLS.side + 15];
  await cover(page, [left, top, left + 30, top + 30], DRAWN_ON.width);
}

/** Opens the only draft from the list of uploads. */
export async function openDraft(desktop: Desktop): Promise<Page> {
  await desktop.page.getByLabel('Uploads', { exact: true }).click();
  await desktop.page.getByRole('button', { name: /^Edit screenshot-/ }).click();
  return editPage(desktop);
}

/** Sends the draft with Enter, which counts once the picture has been shown for a moment. */
export async function sendWithEnter(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveAttribute('aria-keyshortcuts', 'Enter');
  await page.keyboard.press('Enter');
}
