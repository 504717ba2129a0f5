import { type BrowserContext, test as base, expect as baseExpect, type Page } from 'playwright/test';
import { type SignedIn, setUp, startTestService, type TestService } from '#test/helpers/service/service.ts';
import { expectNoFaults } from './layout.ts';

/** A name that isn't loopback: browsers treat its pages as insecure, as on a LAN. Chromium resolves it by a switch. */
export const LAN_NAME = 'pixdock.test';

/** Long enough for a busy machine. */
export const expect = baseExpect.configure({ timeout: 30_000 });

interface Fixtures {
  /** A new, empty service for each test. */
  service: TestService;
  /** The service's address under {@link LAN_NAME}. */
  lan: string;
  /** The owner's account, created over HTTP; the browser's context is signed in with it. */
  owner: SignedIn;
  /** Console errors, warnings and uncaught exceptions. Must be empty at the end: a test that provokes some removes them. */
  complaints: string[];
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from this pattern
  service: async ({}, use) => {
    await using service = await startTestService({ allowedHosts: [LAN_NAME] }, { restart: () => void service.restart() });
    await use(service);
  },
  lan: async ({ service }, use) => {
    await use(`http://${LAN_NAME}:${new URL(service.url).port}`);
  },
  baseURL: async ({ lan }, use) => {
    await use(lan);
  },
  locale: 'en-GB',
  owner: async ({ service, context, lan }, use) => {
    const owner = await setUp(service);
    await signIn(context, owner, lan);
    await use(owner);
  },
  complaints: [
    async ({ page }, use, testInfo) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(`${message.text()} (${message.location().url})`);
      });
      await use(complaints);
      expect(complaints).toEqual([]);
      if (testInfo.status === testInfo.expectedStatus && page.url() !== 'about:blank') await expectNoFaults(page, 'at the end');
    },
    { auto: true },
  ],
});

/** Signs the browser in with a user's session. */
export async function signIn(context: BrowserContext, person: SignedIn, address: string) {
  const at = person.cookie.indexOf('=');
  await context.addCookies([{ name: person.cookie.slice(0, at), value: person.cookie.slice(at + 1), url: address }]);
}

/** Signs the browser out, and leaves the page first, whose requests would be refused. */
export async function forgetSession(page: Page) {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** Fills in and submits the sign-in form. */
export async function typeSignIn(page: Page, login: string, password: string) {
  await page.getByLabel('Username or email').fill(login);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The timeline's tiles. */
export const tiles = (page: Page) => page.locator('a[data-picture]');
