import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { findScreenshotsFolder } from '#main/watcher/screenshot-places.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const noTool = () => Promise.reject(new Error('not installed'));

/** A home folder with these folders. */
async function homeWith(...folders: string[]) {
  const home = temporaryFolder();
  for (const folder of ['Pictures', '.config', ...folders]) await mkdir(join(home, folder), { recursive: true });
  return { home, pictures: join(home, 'Pictures'), config: join(home, '.config') };
}

it('finds the folder under its name in another language', async () => {
  const home = await homeWith('Pictures/截图');
  expect(await findScreenshotsFolder({ platform: 'linux', ...home }, noTool)).toBe(join(home.pictures, '截图'));
});

it('prefers the folder set in the system’s own tool', async () => {
  const home = await homeWith('Pictures/Screenshots', 'Shots');
  const linux = { platform: 'linux', ...home } as const;
  await writeFile(join(home.config, 'spectaclerc'), `[ImageSave]\nimageSaveLocation=file://${home.home}/Shots\n`);
  expect(await findScreenshotsFolder(linux, noTool)).toBe(join(home.home, 'Shots'));
  expect(await findScreenshotsFolder({ ...linux, platform: 'darwin' }, async () => '~/Shots\n')).toBe(join(home.home, 'Shots'));
});

it('asks Windows’ own registry tool, not a program of that name in the working directory', async () => {
  const home = await homeWith('Shots');
  const run = vi.fn(async (_program: string) => `    {B7BEDE81}    REG_EXPAND_SZ    ${join(home.home, 'Shots')}\r\n`);
  expect(await findScreenshotsFolder({ platform: 'win32', ...home }, run)).toBe(join(home.home, 'Shots'));
  expect(run.mock.calls[0]?.[0]).toMatch(/^[A-Z]:\\.+\\System32\\reg\.exe$/i);
});

it('doesn’t offer a folder for all kinds of files', async () => {
  const home = await homeWith('Desktop', 'Downloads');
  const mac = { platform: 'darwin', ...home } as const;
  for (const folder of ['Desktop', 'Downloads', 'Pictures', ''])
    expect(await findScreenshotsFolder(mac, async () => join(home.home, folder))).toBeUndefined();
});

it('finds nothing where the folder doesn’t exist', async () => {
  const home = await homeWith();
  await writeFile(join(home.pictures, 'Screenshots'), 'a file');
  expect(await findScreenshotsFolder({ platform: 'linux', ...home }, noTool)).toBeUndefined();
});
