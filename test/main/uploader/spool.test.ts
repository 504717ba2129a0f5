import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { NewItem } from '#main/journal/item.ts';
import { takeOldCaptures } from '#main/uploader/old-captures.ts';
import { openSpool } from '#main/uploader/spool.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const PICTURE = new TextEncoder().encode('picture');
const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';

test('keeps a capture readable by its user only, under a name of its own', async () => {
  const folder = join(temporaryFolder(), 'spool');
  const item = await openSpool(folder).keep(PICTURE, 'one.png', { name: 'plan: draft/2.png', fields: { visibility: 'private' } });
  expect(item).toMatchObject({ name: 'plan: draft/2.png', spooled: true, fields: { visibility: 'private' }, size: 7 });
  expect(item.path).toMatch(/[0-9a-f-]{36}\.png$/);
  expect((await stat(item.path)).mode & 0o777).toBe(0o600);
  expect(await readFile(item.path, 'utf8')).toBe('picture');
  expect(await readdir(folder)).toHaveLength(1);
});

test('cleans up what a crash left behind, and leaves other files alone', async () => {
  const folder = temporaryFolder();
  const { path } = await openSpool(folder).keep(PICTURE, 'one.png');
  const spool = openSpool(folder);
  for (const name of [`${UNKNOWN_UUID}.png`, `${UNKNOWN_UUID}.png.new`, '.DS_Store', 'mine.png']) await writeFile(join(folder, name), 'x');
  await spool.clean([path]);
  const left = (await readdir(folder)).map((name) => join(folder, name));
  expect(left.sort()).toEqual([join(folder, '.DS_Store'), join(folder, 'mine.png'), path].sort());
});

test('keeps the posters of videos that are needed, its own and those of files elsewhere, and removes the others', async () => {
  const folder = temporaryFolder();
  const { path } = await openSpool(folder).keep(PICTURE, 'one.mp4');
  const left = openSpool(folder);
  const elsewhere = { id: UNKNOWN_UUID, path: '/videos/two.mp4', spooled: false };
  const posters = [left.posterOf({ id: 'id', path, spooled: true }), left.posterOf(elsewhere)];
  for (const poster of [...posters, join(folder, `${UNKNOWN_UUID.replace(/0$/, '1')}.poster.jpg`)]) await left.keepPoster(poster, PICTURE);
  const spool = openSpool(folder);
  await spool.clean([path, UNKNOWN_UUID]);
  expect((await readdir(folder)).map((name) => join(folder, name)).sort()).toEqual([path, ...posters].sort());
  await Promise.all(posters.map(spool.remove));
  expect(await readdir(folder)).toEqual([path.slice(folder.length + 1)]);
});

test("never removes a user's own file", async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'spool'));
  const path = join(folder, `${UNKNOWN_UUID}.png`);
  await writeFile(path, 'mine');
  await openSpool(join(folder, 'spool')).remove(path);
  expect((await stat(path)).size).toBe(4);
});

test('takes over what an earlier release had kept, with its options, and nothing else', async () => {
  const folder = temporaryFolder();
  const old = join(folder, 'captures');
  await mkdir(old);
  await writeFile(join(old, 'clipboard-20261101-101010-001.png'), 'one');
  await writeFile(join(old, `editor-${UNKNOWN_UUID}`), 'two');
  await writeFile(join(old, `editor-${UNKNOWN_UUID}.json`), '{"name":"two.png","fields":{"max_views":"3"}}');
  await writeFile(join(old, '.DS_Store'), 'x');
  const items: NewItem[] = [];
  await takeOldCaptures(old, openSpool(join(folder, 'spool')), (item) => items.push(item));
  expect(items).toMatchObject([
    { name: 'clipboard-20261101-101010-001.png', spooled: true, size: 3 },
    { name: 'two.png', fields: { max_views: '3' } },
  ]);
  expect(await readdir(old)).toEqual(['.DS_Store']);
});

test.each(['', '{"fields":{"visibility":"priv', '{"fields":{"owner":"1"}}'])(
  'keeps an earlier capture private if its options are damaged (%j)',
  async (damaged) => {
    const folder = temporaryFolder();
    const name = 'clipboard-20261101-101010-001.png';
    await writeFile(join(folder, name), 'picture');
    await writeFile(join(folder, `${name}.json`), damaged);
    const items: NewItem[] = [];
    await takeOldCaptures(folder, openSpool(join(folder, 'spool')), (item) => items.push(item));
    expect(items).toMatchObject([{ name, fields: { visibility: 'private' } }]);
  },
);

test('never cleans up what this run has kept, even before the journal knows of it', async () => {
  const folder = temporaryFolder();
  const spool = openSpool(folder);
  const { path } = await spool.keep(PICTURE, 'one.png');
  await spool.clean([]);
  expect(await readFile(path, 'utf8')).toBe('picture');
});
