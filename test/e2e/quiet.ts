import type { Page } from 'playwright';

/** Resolves once a page has loaded nothing for half a second. Playwright's own `networkidle` waits for the worker with the stream of events, too. */
export async function untilQuiet(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, 500);
        new PerformanceObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, 500);
        }).observe({ type: 'resource' });
      }),
  );
}
