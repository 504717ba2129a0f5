import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright/test';
import { expect } from './web.ts';

/** A part of the page, and the only rules to check there. Without them, the whole page by all of axe's rules. */
interface AuditScope {
  within?: string;
  rules?: string[];
}

/** WCAG 2.2: targets of 24 by 24 CSS pixels, or as much room around them. */
const BEYOND_DEFAULTS = { 'target-size': { enabled: true } };

/** Resolves once no transition or finite animation runs; what inherits a colour may begin its own after its parent has ended. */
async function standStill(page: Page) {
  await page.evaluate(async () => {
    const moving = () =>
      document
        .getAnimations()
        .filter(({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime));
    for (let all = moving(); all.length > 0; all = moving()) await Promise.all(all.map(({ finished }) => finished.catch(() => undefined)));
  });
}

/**
 * The accessibility violations on the page, one line each, once it stands still. axe runs in the page itself: its Playwright package opens
 * another page for every audit, which costs more than the audit.
 */
export async function audit(page: Page, { within, rules }: AuditScope = {}): Promise<string[]> {
  await standStill(page);
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : { rules: BEYOND_DEFAULTS }) };
  return page.evaluate(
    async ([selector, runOptions]) => {
      const tested = window as unknown as { axe: typeof axe };
      const { violations } = await tested.axe.run(selector ? { include: [selector] } : document, runOptions);
      return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ html }) => html).join(' | ')}`);
    },
    [within, options] as const,
  );
}

const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Violations, and content that is wider than the screen. */
export async function problemsOf(page: Page): Promise<string[]> {
  const violations = await audit(page);
  const overflow = await overflowOf(page);
  return overflow === 0 ? violations : [...violations, `${overflow} px wider than the screen`];
}

/** A window size, with the colour scheme that is checked there in full. */
export interface Screen {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'dark' | 'light';
}

export const PHONE: Screen = { name: 'phone', width: 360, height: 740, colorScheme: 'dark' };
export const DESK: Screen = { name: 'desk', width: 1440, height: 900, colorScheme: 'light' };

/** Rules that compare colours. All others look at elements and sizes, which don't depend on the colour scheme. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Resizes the page to a screen, and fails on accessibility violations and horizontal scrolling there. */
export async function checkScreen(page: Page, name: string, { colorScheme, width, height }: Screen) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
  await expect.poll(() => overflowOf(page), `${name} at ${width} px`).toBe(0); // scripts lay out again after a change of size
  expect(await problemsOf(page), `${name}, ${colorScheme}, ${width} px`).toEqual([]);
}

/** Fails on accessibility violations and horizontal scrolling, on a phone in dark colours and on a desktop in light ones. */
export async function checkPage(page: Page, name: string) {
  const before = page.viewportSize();
  await checkScreen(page, name, PHONE);
  await checkScreen(page, name, DESK);
  if (before) await page.setViewportSize(before);
}
