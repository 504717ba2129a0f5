import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesAmong } from '#main/uploader/given-files.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const noVideos = async () => false;

test('takes the pictures in folders, the videos only where they are taken, and files as they are', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'album/trip'), { recursive: true });
  for (const name of ['two.JPG', 'ten.png', 'notes.txt', '.hidden.png', 'trip/one.heic', 'trip/sea.MOV'])
    await writeFile(join(folder, 'album', name), name);
  const outside = join(folder, 'outside.png');
  await writeFile(outside, '');
  await symlink(outside, join(folder, 'album/link.png')).catch(() => undefined); // Windows may not permit it
  const given = [join(folder, 'album'), join(folder, 'notes.txt'), join(folder, 'gone.png')];
  const among = (...names: string[]) => [...names.map((name) => `${join(folder, 'album')}/${name}`), ...given.slice(1)];
  expect(await filesAmong(given, noVideos)).toEqual(among('ten.png', 'two.JPG', 'trip/one.heic'));
  expect(await filesAmong(given, async () => true)).toEqual(among('ten.png', 'two.JPG', 'trip/one.heic', 'trip/sea.MOV'));
});

test('finds nothing in a folder without pictures', async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'notes.txt'), '');
  expect(await filesAmong([folder], noVideos)).toEqual([]);
});
