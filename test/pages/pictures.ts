import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';
import { audit } from '#test/e2e/axe.ts';
import { standStill } from '#test/e2e/layout.ts';
import { untilQuiet } from '#test/e2e/quiet.ts';

const FOLDER = join(import.meta.dirname, '../../.cache/pages');

export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1300 },
];
/** Of a long page, the beginning is enough. */
const MAX_HEIGHT = 2600;

/** What `npm run pages -- check` looks at instead, in turn in dark and in light colours. */
const CHECKED = [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
  { width: 1180, height: 780 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1300 },
];

/** Writes pictures of the page as it is, in every width and colour scheme; or checks it. */
export async function takePictures(page: Page, name: string, language: Language): Promise<void> {
  if (process.env.PIXDOCK_CHECK_PAGES) return check(page, `${name}, ${language}`);
  const folder = join(FOLDER, name);
  mkdirSync(folder, { recursive: true });
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    await settle(page);
    await page.setViewportSize({ width, height: Math.max(height, Math.min(MAX_HEIGHT, await page.evaluate(heightOfContent))) });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settle(page);
      await page.screenshot({ path: join(folder, `${width}-${colorScheme}-${language}.jpg`), type: 'jpeg', quality: 70 });
    }
  }
}

/** Fails, but goes on, where there are accessibility violations or visual faults. */
async function check(page: Page, name: string): Promise<void> {
  for (const [index, size] of CHECKED.entries()) {
    const colorScheme = index % 2 === 0 ? 'dark' : 'light';
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    await settle(page);
    const found = await audit(page, {}, 3_000);
    const place = `${name}, ${colorScheme}, ${size.width} px`;
    // At once: a run takes a quarter of an hour.
    for (const fault of found) console.log(`${place}: ${fault}`);
    expect.soft(found, place).toEqual([]);
  }
}

/** Runs in the page. What a dialog covers doesn't count. */
const heightOfContent = () => (document.querySelector('[role=dialog]') ? 0 : document.documentElement.scrollHeight);

/** Waits until the page has loaded what it shows at this size. */
async function settle(page: Page): Promise<void> {
  await untilQuiet(page);
  await page.waitForFunction(() => [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'));
  await standStill(page);
}
