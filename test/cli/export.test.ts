import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Album, changeAlbum, createAlbum } from '#api/albums/albums.ts';
import { allAlbums } from '#api/albums/find-album.ts';
import { listAlbumImages, orderAlbumImages } from '#api/albums/pictures.ts';
import { updateImage } from '#api/images/changes.ts';
import type { Image } from '#api/images/images.ts';
import { allImages } from '#test/cli/import/told.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { type SignedIn, setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';
import { runCli } from './run-cli.ts';

const { service } = await startFileService();
const user = await addUser(service, 'grace');
const DAY = 86_400_000;

/** What Pixdock knows of a picture, without what no client can set: key, links, date of upload, views, and what follows from the bytes. */
const FIELDS = [
  ...['name', 'title', 'caption', 'alt', 'tags', 'visibility', 'expires_at', 'views_left', 'favourite', 'taken_at', 'slug'],
  ...['sha256', 'size', 'mime', 'ext', 'width', 'height'],
] as const;
const ALBUM_FIELDS = ['name', 'description', 'visibility', 'allow_download', 'expires_at', 'sorted', 'image_count'] as const;

/** A library with everything. */
async function fill({ client, token }: SignedIn) {
  const album = async (name: string, changes: object = {}) => {
    const { id } = await client.call(createAlbum, { body: { name } });
    return client.call(changeAlbum, { params: { id }, body: changes });
  };
  const trips = await album('Trips / Rome', { description: 'What we "saw" & <b>liked</b>', visibility: 'public', allow_download: true });
  const best = await album('a/b:c*? &amp;', { visibility: 'private', expires_at: new Date(Date.now() + 9 * DAY).toISOString() });
  await album('Empty');
  const changes: Record<string, unknown>[] = [
    {
      name: 'con.png',
      title: 'A title',
      caption: 'Two\nlines &amp; an entity',
      alt: 'What it shows',
      tags: ['a, b', 'c'],
      favourite: true,
      albums: [trips.id, best.id],
    },
    { name: 'same.png', taken_at: '1969-07-20T20:17:40.123Z', albums: [trips.id] },
    { name: 'SAME.png', visibility: 'private', albums: [trips.id], slug: 'moon-landing' },
    { name: '图片 #1 "x".png', expires_at: new Date(Date.now() + 5 * DAY).toISOString() },
    { name: `${'long '.repeat(60)}.png`, max_views: 7 },
  ];
  const images: Image[] = [];
  for (const [index, body] of changes.entries()) {
    const { key } = await uploadImage(service, await token('full'), tinyPng(50_000_000 + index), { taken_at: '2019-05-14T18:30:00Z' });
    images.push(await client.call(updateImage, { params: { key }, body }));
  }
  // The same bytes as the first, for others to see or not.
  images.push(
    (await uploadImage(service, await token('full'), tinyPng(50_000_000), { visibility: 'private' }, 'twin.png')) as unknown as Image,
  );
  const [first, second, third] = images.map(({ key }) => key) as [string, string, string];
  await client.call(orderAlbumImages, { params: { id: trips.id }, body: { keys: [second, third, first], before: null } });
  await client.call(changeAlbum, { params: { id: trips.id }, body: { cover_key: third } });
}

const only = (value: object, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name)));

/** What an account has, without what differs between servers. */
async function known({ client }: SignedIn) {
  const [images, albums] = [await allImages(client), await allAlbums(client)];
  const nameOf = (key: string | null) => images.find((image) => image.key === key)?.name ?? null;
  const inAlbum = async ({ id, sorted }: Album) => {
    const { items } = await client.call(listAlbumImages, { params: { id }, query: {} });
    const found = items.map(({ key }) => nameOf(key));
    return sorted ? found : found.sort();
  };
  return {
    images: images.map((image) => only(image, FIELDS)).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    albums: (
      await Promise.all(
        albums.map(async (one) => ({ ...only(one, ALBUM_FIELDS), cover: nameOf(one.cover_key), pictures: await inAlbum(one) })),
      )
    ).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  };
}

it('exports everything that Pixdock knows, for import-dir to bring it back', async () => {
  await fill(user);
  const home = temporaryFolder();
  const env = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await user.token('full') };
  const exported = await runCli(
    home,
    [
      'export',
      'out',
      '--concurrency',
      '2',
      '--timeout',
      '60',
      '--retries',
      '3',
      '--base-url',
      service.url,
      '--token',
      await user.token('full'),
    ],
    { env },
  );
  expect(exported).toEqual({ code: 0, stdout: '', stderr: expect.stringContaining('Exported 6 pictures') });
  await using other = await startTestService();
  const owner = await setUp(other);
  const there = { PIXDOCK_BASE_URL: other.url, PIXDOCK_TOKEN: await owner.token('full') };
  const imported = await runCli(home, ['import-dir', 'out', '--takeout'], { env: there });
  expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining('Uploaded 6 pictures') });
  const before = await known(user);
  expect(before.images.map((image) => Object.keys(image).length)).toEqual(before.images.map(() => FIELDS.length));
  expect(await known(owner)).toEqual(before);
});

it('downloads what is missing or damaged again, and nothing else', async () => {
  const home = temporaryFolder();
  const env = { PIXDOCK_BASE_URL: service.url, PIXDOCK_TOKEN: await user.token('full') };
  await runCli(home, ['export', 'out'], { env });
  const files = (await readdir(join(home, 'out'), { recursive: true })).filter((name) => name.endsWith('.png')).sort();
  const states = async () =>
    Object.fromEntries(await Promise.all(files.map(async (name) => [name, (await stat(join(home, 'out', name))).mtimeMs] as const)));
  const before = await states();
  const [first] = files.filter((name) => name.startsWith('Photos from')) as [string];
  const bytes = await readFile(join(home, 'out', first));
  await writeFile(join(home, 'out', first), Buffer.alloc(bytes.length));
  expect(await runCli(home, ['export', 'out'], { env })).toMatchObject({ code: 0 });
  expect(await readFile(join(home, 'out', first))).toEqual(bytes);
  const { [first]: changed, ...after } = await states();
  expect(changed).not.toBe(before[first]);
  expect(before).toMatchObject(after);
});
