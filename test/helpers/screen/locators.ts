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
