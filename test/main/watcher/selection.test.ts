import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { DEFAULT_FOLDER_OPTIONS } from '#api/desktop/folder-defaults.ts';
import type { FolderOptions } from '#api/desktop/folders.ts';
import { findScreenshotsFolder } from '#main/watcher/screenshot-places.ts';
import { selectionOf } from '#main/watcher/selection.ts';
import { isTemporary } from '#main/watcher/temporary-names.ts';
import { canBe } from '#main/watcher/volume.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const select = (options: Partial<FolderOptions>, own: string[] = [], videos = false) =>
  selectionOf('/pictures', { ...DEFAULT_FOLDER_OPTIONS, ...options }, { own, videos });

test.each(['a.png', 'b/c/D.HEIC', 'e.tiff', 'f.bmp'])('takes %s', (path) => {
  expect(select({}).takes(path)).toBe(true);
});

test.each(['notes.txt', 'a.gif'])('leaves %s, which doesn’t match, and records it', (path) => {
  const { takes, isOutside } = select({ ignore: ['*.gif'] });
  expect(takes(path)).toBe(false);
  expect(isOutside(path)).toBe(false);
});

test.each(['.cache/a.png', '.a.png', 'private/a.png', 'a.png.part'])('leaves %s without recording it', (path) => {
  const { takes, isOutside } = select({ ignore: ['private'] });
  expect(takes(path)).toBe(false);
  expect(isOutside(path)).toBe(true);
});

test.each(['Uploaded/a.png', 'app/data/a.png'])('never enters the app’s own folder of %s', (path) => {
  const { takes, isOutside } = select({ after: { kind: 'move', to: 'Uploaded' } }, ['/pictures/app/data', '/elsewhere']);
  expect(takes(path)).toBe(false);
  expect(isOutside(path)).toBe(true);
});

test('leaves subfolders unless asked for them', () => {
  expect(select({ recursive: false }).takes('b/a.png')).toBe(false);
});

test('patterns replace the choice by type', () => {
  expect(select({ include: ['shot*'] }).takes('b/shot.xyz')).toBe(true);
  expect(select({ include: ['shot*'] }).takes('b/a.png')).toBe(false);
});

test.each([
  'a.png.tmp',
  'a.part',
  'x/a.jpg.crdownload',
  'a.download',
  '~$a.png',
  '.syncthing.a.png.tmp',
  '~syncthing~a.png',
  '.~a.png',
  '.#a.png',
  '#a.png#',
  'a.png~',
])('%s is a temporary name', (name) => {
  expect(isTemporary(name)).toBe(true);
});

test.each(['a.png', 'part.png', 'tmp/a.png', 'a #1.png', 'download.jpg'])('%s isn’t a temporary name', (name) => {
  expect(isTemporary(name)).toBe(false);
});

test('another drive in the place of a folder is noticed where drives have identifiers', () => {
  expect(canBe('uuid:A', 'uuid:A')).toBe(true);
  expect(canBe('uuid:A', 'uuid:B')).toBe(false);
  expect(canBe('uuid:A', undefined)).toBe(false);
  expect(canBe('folder:1:5', 'folder:2:6')).toBe(false);
  expect(canBe('folder:1:5', undefined)).toBe(true);
  expect(canBe(undefined, 'uuid:A')).toBe(true);
});

const noTool = () => Promise.reject(new Error('not installed'));

/** A home folder with these folders. */
async function homeWith(...folders: string[]) {
  const home = temporaryFolder();
  for (const folder of ['Pictures', '.config', ...folders]) await mkdir(join(home, folder), { recursive: true });
  return { home, pictures: join(home, 'Pictures'), config: join(home, '.config') };
}

test('finds the folder under its name in another language', async () => {
  const home = await homeWith('Pictures/截图');
  expect(await findScreenshotsFolder({ platform: 'linux', ...home }, noTool)).toBe(join(home.pictures, '截图'));
});

test('prefers the folder set in the system’s own tool', async () => {
  const home = await homeWith('Pictures/Screenshots', 'Shots');
  const linux = { platform: 'linux', ...home } as const;
  await writeFile(join(home.config, 'spectaclerc'), `[ImageSave]\nimageSaveLocation=file://${home.home}/Shots\n`);
  expect(await findScreenshotsFolder(linux, noTool)).toBe(join(home.home, 'Shots'));
  expect(await findScreenshotsFolder({ ...linux, platform: 'darwin' }, async () => '~/Shots\n')).toBe(join(home.home, 'Shots'));
});

test('asks Windows’ own registry tool, not a program of that name in the working directory', async () => {
  const home = await homeWith('Shots');
  const run = vi.fn(async (_program: string) => `    {B7BEDE81}    REG_EXPAND_SZ    ${join(home.home, 'Shots')}\r\n`);
  expect(await findScreenshotsFolder({ platform: 'win32', ...home }, run)).toBe(join(home.home, 'Shots'));
  expect(run.mock.calls[0]?.[0]).toMatch(/^[A-Z]:\\.+\\System32\\reg\.exe$/i);
});

test('doesn’t offer a folder for all kinds of files', async () => {
  const home = await homeWith('Desktop', 'Downloads');
  const mac = { platform: 'darwin', ...home } as const;
  for (const folder of ['Desktop', 'Downloads', 'Pictures', ''])
    expect(await findScreenshotsFolder(mac, async () => join(home.home, folder))).toBeUndefined();
});

test('finds nothing where the folder doesn’t exist', async () => {
  const home = await homeWith();
  await writeFile(join(home.pictures, 'Screenshots'), 'a file');
  expect(await findScreenshotsFolder({ platform: 'linux', ...home }, noTool)).toBeUndefined();
});
