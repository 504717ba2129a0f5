import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
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

/** Writes pictures of the page as it is, in every width and colour scheme. */
export async function takePictures(page: Page, name: string, language: Language): Promise<void> {
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

/** Runs in the page. What a dialog covers doesn't count. */
const heightOfContent = () => (document.querySelector('[role=dialog]') ? 0 : document.documentElement.scrollHeight);

/** Waits until the page has loaded what it shows at this size. */
async function settle(page: Page): Promise<void> {
  await untilQuiet(page);
  await page.waitForFunction(() => [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'));
  await standStill(page);
}
