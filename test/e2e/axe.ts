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

/** The accessibility violations on the page, one line each, once it stands still; of the whole page, its visual faults as well. */
export async function audit(page: Page, scope: AuditScope = {}): Promise<string[]> {
  const first = await violationsOn(page, scope);
  // A message that was going away has gone the second time.
  const violations = first.length > 0 ? await violationsOn(page, scope) : first;
  return scope.within || scope.rules ? violations : [...violations, ...(await layoutFaults(page))];
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
