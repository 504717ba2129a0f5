import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { checkDataFolder, requireUsable } from '#main/first-launch/data-folder.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixdock-folder-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

/** A folder below the test's own, with a file in it if one is named. */
async function made(name: string, file?: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  if (file) await writeFile(join(path, file), '');
  return path;
}

test('an empty folder holds a new service; among other files, it gets a folder of its own', async () => {
  const empty = await made('empty');
  expect(await checkDataFolder(empty, 'new')).toEqual({ path: empty });
  const used = await made('used', 'notes.txt');
  expect(await checkDataFolder(used, 'new')).toEqual({ path: join(used, 'Pixdock') });
  await made('used/Pixdock', 'other.txt');
  expect(await checkDataFolder(used, 'new')).toEqual({ path: join(used, 'Pixdock'), problem: 'not_empty' });
});

test('Pixdock data is found in the folder, or in the folder `data` in it', async () => {
  const own = await made('own', 'pixdock.db');
  const app = await made('app', 'preferences.json');
  const inner = await made('app/data', 'pixdock.db');
  for (const purpose of ['new', 'existing'] as const) {
    expect(await checkDataFolder(own, purpose)).toEqual({ path: own });
    expect(await checkDataFolder(app, purpose)).toEqual({ path: inner });
  }
  expect(await checkDataFolder(folder, 'existing')).toEqual({ path: folder, problem: 'not_pixdock' });
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('a folder that can’t be written to is refused', async () => {
  const locked = await made('locked', 'pixdock.db');
  await chmod(locked, 0o500);
  expect(await checkDataFolder(locked, 'existing')).toEqual({ path: locked, problem: 'not_writable' });
});

test('a folder on a network share can’t be used, and a synchronised one is reported as such', async () => {
  const empty = await made('empty');
  expect(await checkDataFolder(empty, 'new', async () => 'network')).toEqual({ path: empty, problem: 'on_network' });
  expect(await checkDataFolder(empty, 'new', async () => 'synchronised')).toEqual({ path: empty, synchronised: true });
  await made('OneDrive');
  expect(await checkDataFolder(join(folder, 'OneDrive'), 'new')).toMatchObject({ synchronised: true });
});

test('the usual folder isn’t used if it is on a network share', async () => {
  await expect(requireUsable(folder, async () => 'network')).rejects.toMatchObject({ text: 'usualFolderOnNetwork', detail: folder });
  await requireUsable(folder, async () => 'synchronised');
  await requireUsable(join(folder, 'new'));
});
