import { type BrowserContext, test as base, expect as baseExpect, type Page } from 'playwright/test';
import { getProfile } from '#api/auth/user.ts';
import { type AddedUser, addUser, freeNames, sharedState } from '#test/helpers/service/data/users.ts';
import { OWNER, type SignedIn, setUp, startTestService, type TestService } from '#test/helpers/service/service.ts';
import { expectNoFaults } from './layout.ts';

/** Drags files from the disk over the page and drops them, as a user would. `midway` runs while they hover; `at` chooses where they drop. */
export async function dropFiles(page: Page, files: string[], midway: () => Promise<unknown>, at?: () => Promise<{ x: number; y: number }>) {
  const cdp = await page.context().newCDPSession(page);
  let event = { x: 400, y: 300, data: { items: [], files, dragOperationsMask: 1 } };
  await cdp.send('Input.dispatchDragEvent', { type: 'dragEnter', ...event });
  await cdp.send('Input.dispatchDragEvent', { type: 'dragOver', ...event });
  await midway();
  if (at) event = { ...event, ...(await at()) };
  // Browsers send this all the time; a page that was busy would miss a single one, and with it the drop.
  await cdp.send('Input.dispatchDragEvent', { type: 'dragOver', ...event });
  await cdp.send('Input.dispatchDragEvent', { type: 'drop', ...event });
}

/** A name that isn't loopback: browsers treat its pages as insecure, as on a LAN. Chromium resolves it by a switch. */
export const LAN_NAME = 'pixdock.test';

/** Long enough for a busy machine. */
export const expect = baseExpect.configure({ timeout: 30_000 });

interface Options {
  /**
   * Whether each test has a new, empty service, and the `owner` is its real one: for those of the set-up, and of what all users share, such as settings.
   * Set it for a file or a `describe` with `test.use({ ownService: true })`.
   */
  ownService: boolean;
}

export interface Fixtures extends Options {
  /** The service of this worker's tests, where each begins with users of its own, or an own one. */
  service: TestService;
  /** The service's address under {@link LAN_NAME}. */
  lan: string;
  /** An account with all rights, without limits and without pictures; the browser's context is signed in with it. */
  owner: AddedUser;
  /** Console errors, warnings and uncaught exceptions. Must be empty at the end: a test that provokes some removes them. */
  complaints: string[];
}

export interface WorkerFixtures {
  sharedService: TestService;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  ownService: [false, { option: true }],
  sharedService: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from this pattern
    async ({}, use) => {
      await using service = await startTestService({ allowedHosts: [LAN_NAME] });
      await setUp(service);
      await freeNames(service);
      await use(service);
    },
    { scope: 'worker' },
  ],
  service: async ({ ownService, sharedService }, use) => {
    if (!ownService) {
      const before = await sharedState(sharedService);
      await use(sharedService);
      await freeNames(sharedService);
      if ((await sharedState(sharedService)) !== before)
        throw new Error('This test changes what all users share, so it needs a service of its own.');
      return;
    }
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
  owner: async ({ ownService, service, context, lan }, use) => {
    const owner = await newOwner(service, ownService);
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

/** The owner of an own service; of the shared one, another administrator in the owner's group, with the owner's name and password. */
export async function newOwner(service: TestService, isOwn: boolean): Promise<AddedUser> {
  if (!isOwn) return addUser(service, OWNER.username, 'admin', { group: 'owner', password: OWNER.password });
  const owner = await setUp(service);
  return { ...owner, id: (await owner.client.call(getProfile, {})).id };
}

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
