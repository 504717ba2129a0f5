import axe, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright/test';
import { DESK, PHONE, RULES, type Screen } from '#test/helpers/screen/screens.ts';
import { expectNoFaults, layoutFaults, standStill } from './layout.ts';
import { expect } from './web.ts';

/** A part of the page, and the only rules to check there. Without them, the whole page by all of axe's rules. */
interface AuditScope {
  within?: string;
  rules?: string[];
}

/** Milliseconds within which messages go away, and what scripts still lay out has its place, on a busy computer as well. */
const SETTLE_MS = 30_000;

/** The accessibility violations on the page that stay, one line each; of the whole page, its visual faults as well. */
export async function audit(page: Page, scope: AuditScope = {}, settleMs = SETTLE_MS): Promise<string[]> {
  const faults = async () => [...(await violationsOn(page, scope)), ...(scope.within || scope.rules ? [] : await layoutFaults(page))];
  const end = Date.now() + settleMs;
  let found = await faults();
  while (found.length > 0 && Date.now() < end) found = await faults();
  return found;
}

/** axe runs in the page itself: its Playwright package opens another page for every audit, which costs more than the audit. */
async function violationsOn(page: Page, { within, rules }: AuditScope): Promise<string[]> {
  await standStill(page);
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : { rules: RULES }) };
  return page.evaluate(
    async ([selector, runOptions]) => {
      const tested = window as unknown as { axe: typeof axe };
      const { violations } = await tested.axe.run(selector ? { include: [selector] } : document, runOptions);
      return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ html }) => html).join(' | ')}`);
    },
    [within, options] as const,
  );
}

/** Rules that compare colours. All others look at elements and sizes, which don't depend on the colour scheme. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Resizes the page to a screen, and fails on accessibility violations and visual faults there. */
export async function checkScreen(page: Page, name: string, { colorScheme, width, height }: Screen) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
  const place = `${name}, ${colorScheme}, ${width} px`;
  await expectNoFaults(page, place);
  expect(await violationsOn(page, {}), place).toEqual([]);
}

/** Fails on accessibility violations and visual faults, on a phone in dark colours and on a desktop in light ones. */
export async function checkPage(page: Page, name: string) {
  const before = page.viewportSize();
  await checkScreen(page, name, PHONE);
  await checkScreen(page, name, DESK);
  if (before) await page.setViewportSize(before);
}
