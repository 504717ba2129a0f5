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

test('pages only name folders that the user chose, that were offered, or that are watched already', async () => {
  const root = temporaryFolder();
  const paths = ['chosen', 'moved', 'offered', 'other'].map((name) => join(root, name));
  for (const path of paths) await mkdir(path);
  const [chosen = '', moved = '', offered = '', other = ''] = paths;
  const { folders, account } = foldersIn();
  account.become('waiting');
  const calls = folderHandlers({ folders, describe: () => '', texts: () => en, window: () => undefined });
  const choose = (path: string) => {
    vi.spyOn(dialog, 'showOpenDialog').mockResolvedValueOnce({ canceled: false, filePaths: [path] });
    return calls.chooseFolder();
  };

  await expect(calls.previewFolder({ path: chosen, options })).rejects.toMatchObject(refused);
  await expect(calls.addFolder({ path: chosen, options })).rejects.toMatchObject(refused);
  expect(await choose(chosen)).toBe(chosen);
  await calls.previewFolder({ path: chosen, options });
  const { id } = await calls.addFolder({ path: chosen, options });

  await expect(calls.repointFolder(id, moved)).rejects.toMatchObject(refused);
  await choose(moved);
  expect(await calls.repointFolder(id, moved)).toMatchObject({ path: moved });

  vi.mocked(screenshotsFolder).mockResolvedValue(offered);
  await expect(calls.addFolder({ path: offered, options })).rejects.toMatchObject(refused);
  expect(await calls.offerScreenshots()).toBe(offered);
  await calls.addFolder({ path: offered, options });

  // A page of the next run.
  const later = folderHandlers({ folders, describe: () => '', texts: () => en, window: () => undefined });
  await later.previewFolder({ path: moved, options, id });
  await expect(later.previewFolder({ path: other, options, id })).rejects.toMatchObject(refused);
  await expect(later.addFolder({ path: chosen, options })).rejects.toMatchObject(refused);
});
