import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect } from './web.ts';

/** No accessibility violations, and nothing that has to be scrolled sideways, on a phone in the dark and on a desk in daylight. */
export async function checkPage(page: Page, what: string) {
  const before = page.viewportSize();
  for (const [colorScheme, width, height] of [
    ['dark', 360, 740],
    ['light', 1440, 900],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${what}, ${colorScheme}: ${id} at ${nodes.map((node) => node.html).join(' | ')}`)).toEqual(
      [],
    );
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow, `${what} is wider than the screen at ${width}`).toBe(0);
  }
  if (before) await page.setViewportSize(before);
}
