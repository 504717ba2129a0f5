import { expect } from 'playwright/test';
import type { SignedIn, TestService } from '#test/helpers/service/service.ts';
import { test as base, newOwner } from './web.ts';

export interface Host {
  service: TestService;
  owner: SignedIn;
  /** The owner's full token. */
  token: string;
}

/** A signed-out browser at an insecure address, and a user whose links it opens. */
export const test = base.extend<{ host: Host }>({
  host: async ({ service, ownService }, use) => {
    const owner = await newOwner(service, ownService);
    await use({ service, owner, token: await owner.token('full') });
  },
  // Without the failed requests that browsers log too: these tests provoke them.
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      const refusal = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !refusal) complaints.push(message.text());
    });
    await use(complaints);
    expect(complaints).toEqual([]);
  },
});
