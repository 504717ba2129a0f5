import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dialog } from 'electron';
import { expect, test, vi } from 'vitest';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import { en } from '#main/texts/en.ts';
import { folderHandlers } from '#main/watcher/calls.ts';
import { screenshotsFolder } from '#main/watcher/screenshots.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { foldersIn } from './harness.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));
vi.mock('#main/watcher/screenshots.ts', () => ({ screenshotsFolder: vi.fn() }));

const options = DEFAULT_FOLDER_OPTIONS;
const refused = { text: 'folderNotChosen' };

/** The calls of pages, in a folder with two subfolders. */
async function callsIn() {
  const root = temporaryFolder();
  const [one, two] = [join(root, 'one'), join(root, 'two')];
  for (const path of [one, two]) await mkdir(path);
  const { folders, account } = foldersIn();
  account.become('waiting');
  /** The calls of another run of the app. */
  const start = () => folderHandlers({ folders, describe: () => '', texts: () => en, window: () => undefined });
  const calls = start();
  const choose = (path: string) => {
    vi.spyOn(dialog, 'showOpenDialog').mockResolvedValueOnce({ canceled: false, filePaths: [path] });
    return calls.chooseFolder();
  };
  return { calls, choose, start, one, two };
}

test('pages may only name folders that the user chose', async () => {
  const { calls, choose, one } = await callsIn();
  await expect(calls.previewFolder({ path: one, options })).rejects.toMatchObject(refused);
  await expect(calls.addFolder({ path: one, options })).rejects.toMatchObject(refused);
  expect(await choose(one)).toBe(one);
  await calls.previewFolder({ path: one, options });
  expect(await calls.addFolder({ path: one, options })).toMatchObject({ path: one });
});

test('pages may only move a watch folder to where the user chose', async () => {
  const { calls, choose, one, two } = await callsIn();
  await choose(one);
  const { id } = await calls.addFolder({ path: one, options });
  await expect(calls.repointFolder(id, two)).rejects.toMatchObject(refused);
  await choose(two);
  expect(await calls.repointFolder(id, two)).toMatchObject({ path: two });
});

test('pages may name the folder of screenshots once it was offered', async () => {
  const { calls, one } = await callsIn();
  vi.mocked(screenshotsFolder).mockResolvedValue(one);
  await expect(calls.addFolder({ path: one, options })).rejects.toMatchObject(refused);
  expect(await calls.offerScreenshots()).toBe(one);
  expect(await calls.addFolder({ path: one, options })).toMatchObject({ path: one });
});

test('after a restart, pages may only name folders that are watched', async () => {
  const { calls, choose, start, one, two } = await callsIn();
  await choose(one);
  await choose(two);
  const { id } = await calls.addFolder({ path: one, options });
  const later = start();
  await later.previewFolder({ path: one, options, id });
  await expect(later.previewFolder({ path: two, options, id })).rejects.toMatchObject(refused);
  await expect(later.addFolder({ path: two, options })).rejects.toMatchObject(refused);
});
