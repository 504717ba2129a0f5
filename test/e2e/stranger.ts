import { test as base } from 'playwright/test';
import { type SignedIn, setUp, startTestService, type TestService } from '#test/helpers/service/service.ts';
import { LAN_NAME } from './web.ts';

export interface Host {
  service: TestService;
  owner: SignedIn;
  /** The owner's full token. */
  token: string;
}

interface PageFixtures {
  /** The page's own errors, without the failed requests that browsers log too: these tests provoke them. */
  faults: string[];
}

/** A signed-out browser at an insecure address. The tests of a file share one service. */
export const test = base.extend<PageFixtures, { host: Host }>({
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from this pattern
    async ({}, use) => {
      await using service = await startTestService({ allowedHosts: [LAN_NAME] });
      const owner = await setUp(service);
      await use({ service, owner, token: await owner.token('full') });
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ host }, use) => {
    await use(`http://${LAN_NAME}:${new URL(host.service.url).port}`);
  },
  locale: 'en-GB',
  faults: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        const refusal = message.text().startsWith('Failed to load resource');
        if (['error', 'warning'].includes(message.type()) && !refusal) faults.push(message.text());
      });
      await use(faults);
      base.expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});
