import { type Locator, locators, page } from 'vitest/browser';

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** For what has neither a role nor a text. */
    getByCss(selector: string): Locator;
  }
}

locators.extend({ getByCss: (selector) => `css=${selector}` });

/** The tiles of a timeline or an album. */
export const tiles = () => page.getByCss('a[data-picture]');

/** Reads the texts of all elements, as they are at that moment: `expect.poll(textsOf(rows))`. */
export const textsOf = (locator: Locator) => () => locator.elements().map(({ textContent }) => textContent);
