import { join } from 'node:path';
import { dialog } from 'electron';
import { expect, onTestFinished, test, vi } from 'vitest';
import { askForPaths, askWhereToSave } from '#main/base/system/file-dialogs.ts';
import { app } from '#test/desktop/double/app.ts';

vi.mock('electron', () => import('#test/desktop/double/electron.ts'));

test('each kind of file is looked for where the last one was chosen, at first among the pictures', async () => {
  const open = vi
    .spyOn(dialog, 'showOpenDialog')
    .mockResolvedValue({ canceled: false, filePaths: ['/holidays/rome/a.png', '/holidays/rome/b.png'] });
  const save = vi.spyOn(dialog, 'showSaveDialog').mockResolvedValue({ canceled: false, filePath: '/desk/shot.png' });
  onTestFinished(() => void vi.restoreAllMocks());
  const pictures = app.getPath('pictures');
  const openedIn = () => (open.mock.lastCall as unknown as [{ defaultPath: string }] | undefined)?.[0].defaultPath;
  const savedAs = () => (save.mock.lastCall as unknown as [{ defaultPath: string }] | undefined)?.[0].defaultPath;
  await askForPaths('pictures', undefined, {});
  expect(openedIn()).toBe(pictures);
  expect(await askForPaths('pictures', undefined, {})).toHaveLength(2);
  expect(openedIn()).toBe('/holidays/rome');
  open.mockResolvedValue({ canceled: true, filePaths: [] });
  expect(await askForPaths('watchFolder', undefined, {})).toEqual([]);
  expect(openedIn()).toBe(pictures);
  await askForPaths('pictures', undefined, {});
  await askForPaths('pictures', undefined, {});
  expect(openedIn()).toBe('/holidays/rome');
  expect(await askWhereToSave('savedPicture', undefined, 'shot.png')).toBe('/desk/shot.png');
  expect(savedAs()).toBe(join(pictures, 'shot.png'));
  await askWhereToSave('savedPicture', undefined, 'other.png');
  expect(savedAs()).toBe('/desk/other.png');
  save.mockResolvedValue({ canceled: true, filePath: '' });
  expect(await askWhereToSave('savedPicture', undefined, 'other.png')).toBeUndefined();
});
