import { expect, type Page } from 'playwright/test';
import { findFaults, untilStill } from '#test/helpers/screen/faults.ts';

/** Resolves once no transition or finite animation runs. */
export const standStill = (page: Page): Promise<void> => page.evaluate(untilStill);

/**
 * The visual faults of the page as it is, one line each, with the kind first. What the page shows counts: text that is covered, controls that
 * a scrolled area hides for now and closed menus don't.
 */
export async function layoutFaults(page: Page): Promise<string[]> {
  await standStill(page);
  return page.evaluate(findFaults);
}

/** Fails on visual faults that stay: what scripts still lay out, and messages that go away, don't count. A page that is being left has none. */
export async function expectNoFaults(page: Page, name: string): Promise<void> {
  const faults = () =>
    layoutFaults(page).catch((error: Error) => {
      if (!/closed|destroyed|navigat/.test(error.message)) throw error;
      return [];
    });
  await expect.poll(faults, { message: name, timeout: 30_000 }).toEqual([]);
}
