import { expect } from 'vitest';
import { page } from 'vitest/browser';
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
    portalShortcuts: false,
    clipboardWatchable: true,
    canCopyPictures: true,
    lacksClipboardPrograms: false,
    canFloat: true,
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
