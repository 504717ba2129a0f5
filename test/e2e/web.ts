import { type BrowserContext, test as base, expect as baseExpect, type Page } from 'playwright/test';
import { type SignedIn, setUp, startTestService, type TestService } from '#test/helpers/service.ts';

/** A name that is not loopback: browsers count the page as insecure there, as on a LAN. Chromium is told where it is. */
export const LAN_NAME = 'pixdock.test';

/** Patient enough for a machine that does other things, too. */
export const expect = baseExpect.configure({ timeout: 15_000 });

interface Fixtures {
  /** A service of its own for every test, with nothing in it. */
  service: TestService;
  /** Its address on the insecure name. */
  lan: string;
  /** The owner's account, created over HTTP; the browser's context is signed in with it. */
  owner: SignedIn;
  /** What the page complained about. Must be empty at the end; a test that provokes something takes it out. */
  complaints: string[];
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are wanted from this pattern
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
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

/** Gives the browser somebody's session. */
export async function signIn(context: BrowserContext, person: SignedIn, address: string) {
  const at = person.cookie.indexOf('=');
  await context.addCookies([{ name: person.cookie.slice(0, at), value: person.cookie.slice(at + 1), url: address }]);
}

/** Types a name or an e-mail address, and a password, into the page that asks for them. */
export async function typeSignIn(page: Page, login: string, password: string) {
  await page.getByLabel('Username or email').fill(login);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The pictures of the timeline. */
export const tiles = (page: Page) => page.locator('button[data-picture]');
