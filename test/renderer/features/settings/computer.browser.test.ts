import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { CallOutput } from '#api/desktop/calls.ts';
import { DEFAULT_PREFERENCES, type PreferenceChange } from '#api/desktop/preferences.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';

const NO_NETWORK: CallOutput<'getLanStatus'> = {
  on: false,
  fixed: { host: false, port: false },
  port: 7410,
  reach: 'off',
  reachedBy: null,
  linkAddress: null,
  choices: [],
  elsewhere: false,
  missing: null,
  announced: null,
  problem: null,
  announceProblem: null,
};

/** The app's side of this page. */
function app() {
  let state: CallOutput<'getPreferences'> = {
    ...DEFAULT_PREFERENCES,
    shortcutState: 'active',
    captureShortcutState: 'none',
    recordShortcutState: 'none',
    portalShortcuts: false,
    clipboardWatchable: true,
    canCopyPictures: true,
    lacksClipboardPrograms: false,
    canFloat: true,
    canRecordSound: true,
    localCopyPlace: '/home/ada/Pictures/Pixdock',
  };
  const set = (change: Partial<typeof state>) => {
    state = { ...state, ...change };
    return state;
  };
  return {
    state: () => state,
    calls: {
      getPreferences: () => state,
      setPreferences: (change: PreferenceChange) => set(change as Partial<typeof state>),
      chooseCopyFolder: () => set({ localCopyFolder: '/srv/shots', localCopyPlace: '/srv/shots' }),
      getAccounts: () => [],
      getAlbums: () => [],
      getEditorsStatus: () => ({ state: 'off' as const }),
      getStartAtLogin: () => 'off' as const,
      getVersion: () => '0.5.0',
      getLanStatus: () => NO_NETWORK,
    },
  };
}

test('copies of uploads are turned on, go to a folder that the user chooses, and have names that are shown while they are typed', async ({
  mount,
}) => {
  const { state, calls } = app();
  await mount('/settings/computer', { desktop: calls });
  const section = page.getByRole('radiogroup', { name: 'Local copy' });
  await section.getByText('Captures', { exact: true }).click();
  await expect.element(page.getByText('/home/ada/Pictures/Pixdock')).toBeVisible();
  await page.getByRole('button', { name: 'Choose folder…' }).click();
  await expect.element(page.getByText('/srv/shots')).toBeVisible();
  const name = page.getByLabelText('Name of the files');
  await expect.element(page.getByText(/^Example: Screenshot \d{4}-\d\d-\d\d \d\d-\d\d-\d\d\.png$/)).toBeVisible();
  await name.fill('{date}/{day}');
  await expect.element(page.getByText('Unknown placeholder: {day}')).toBeVisible();
  await name.fill('{date}/{app} {n}');
  await expect.element(page.getByText(/^Example: \d{4}-\d\d-\d\d\/Screenshot 1\.png$/)).toBeVisible();
  await expect.poll(state).toMatchObject({ localCopy: 'captures', localCopyFolder: '/srv/shots', localCopyName: '{date}/{app} {n}' });
  await checkPage('settings with a local copy');
  await section.getByText('Off', { exact: true }).click();
  await expect.element(name).not.toBeInTheDocument();
});

test('cards are chosen for what brings pictures, with a corner and a time; under Wayland, the settings say why there are none', async ({
  mount,
}) => {
  const { state, calls } = app();
  const { reopen } = await mount('/settings/computer', { desktop: calls });
  const section = page.getByRole('group', { name: 'Cards' });
  await expect.element(section.getByRole('switch', { name: 'Captures' })).toBeChecked();
  await section.getByRole('switch', { name: 'Other uploads' }).click();
  await section.getByRole('combobox', { name: 'Corner' }).click();
  await page.getByRole('option', { name: 'Top left' }).click();
  await section.getByRole('combobox', { name: 'Shown for' }).click();
  await page.getByRole('option', { name: 'Until closed' }).click();
  await expect.poll(state).toMatchObject({ captureCards: true, uploadCards: true, cardCorner: 'top-left', cardSeconds: 0 });
  await checkPage('settings of cards');
  Object.assign(state(), { canFloat: false });
  await reopen('/settings/computer');
  await expect.element(page.getByText('Notifications are shown instead.')).toBeVisible();
  await expect.element(section.getByRole('switch', { name: 'Captures' })).toBeDisabled();
});

const GROUPS = ['Capture', 'Clipboard', 'Links', 'Watch folders', 'Editors', 'Network', 'System'];
/** Pixels between the links, which stay at the top of the window, and a group. */
function below(name: string) {
  const links = page.getByRole('navigation', { name: 'Groups of settings' }).element();
  const group = page.getByRole('region', { name, exact: true }).element();
  return Math.round(group.getBoundingClientRect().top - links.getBoundingClientRect().bottom);
}

test('how the screen is recorded is chosen, as far as the system lets apps do it', async ({ mount }) => {
  const { state, calls } = app();
  await mount('/settings/computer', { desktop: calls });
  const section = page.getByRole('region', { name: 'Capture', exact: true });
  await section.getByText('60', { exact: true }).click();
  await section.getByRole('radiogroup', { name: 'Countdown before recordings' }).getByText('5 s').click();
  for (const name of ['Pointer', 'Microphone', 'Sound of the computer']) await section.getByRole('switch', { name }).click();
  await expect
    .poll(state)
    .toMatchObject({ recordFrames: 60, recordCountdown: 5, recordPointer: false, recordMicrophone: true, recordSound: true });
});

test('the settings begin with this computer, whose groups have links that work by keyboard', async ({ mount }) => {
  await mount('/settings', { desktop: app().calls });
  const pages = page.getByRole('navigation', { name: 'Settings sections' });
  await expect.element(pages.getByRole('link').first()).toHaveTextContent('This computer');
  await expect.element(pages.getByRole('link').first()).toHaveAttribute('aria-current', 'page');
  const tops = pages
    .getByRole('link')
    .elements()
    .map((link) => link.getBoundingClientRect().top);
  expect(new Set(tops).size).toBe(1);
  const contents = page.getByRole('navigation', { name: 'Groups of settings' }).getByRole('link');
  await expect.poll(() => contents.elements().map((link) => link.textContent)).toEqual(GROUPS);
  expect(
    page
      .getByRole('heading', { level: 2 })
      .elements()
      .map((heading) => heading.textContent),
  ).toEqual(GROUPS);
  for (const [setting, group] of [
    ['Capture shortcut', 'Capture'],
    ['Recording shortcut', 'Capture'],
    ['Upload copied pictures', 'Clipboard'],
    ['Copied after an upload', 'Links'],
    ['Open watch folders', 'Watch folders'],
    ['Visibility of editor uploads', 'Editors'],
    ['On this network', 'Network'],
    ['Account for uploads', 'System'],
    ['Stay awake while sharing', 'System'],
  ] as const)
    await expect.element(page.getByRole('region', { name: group, exact: true }).getByText(setting, { exact: true })).toBeVisible();
  (contents.nth(4).element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => below('Editors')).toBeLessThan(32);
  expect(below('Editors')).toBeGreaterThanOrEqual(0);
  // The next Tab is within the group.
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByRole('switch', { name: 'Uploads from editors' })).toHaveFocus();
  await checkPage('settings of this computer');
});

test('an address leads to a group, as the one of the tray does to the QR code', async ({ mount }) => {
  await mount('/settings/computer#network', { desktop: app().calls });
  await expect.poll(() => below('Network')).toBeLessThan(32);
  expect(below('Network')).toBeGreaterThanOrEqual(0);
});

test('the app doesn’t speak of browsers', async ({ mount }) => {
  const { reopen } = await mount('/settings/appearance', { desktop: app().calls });
  await expect.element(page.getByText('System default')).toBeVisible();
  await expect.element(page.getByText('These settings are saved on this computer.')).toBeVisible();
  await reopen('/settings/uploads');
  await expect.element(page.getByText(/are saved on this computer\./)).toBeVisible();
  await expect.element(page.getByText(/browser/i)).not.toBeInTheDocument();
});

test('in a browser, the settings begin with the appearance', async ({ mount }) => {
  await mount('/settings');
  await expect.element(page.getByText('Browser default')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'This computer' })).not.toBeInTheDocument();
});
