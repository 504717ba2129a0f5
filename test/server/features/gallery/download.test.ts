import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { countImages, type Image } from '#api/images/images.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { image, photoJpeg } from '#test/helpers/pictures/images.ts';
import { unzip } from '#test/helpers/pictures/zip.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const ALBUM = 'AAAAAAAAA1';
const NAMES = ['../../etc/passwd.jpg', 'C:\\Windows\\x.jpg', 'same.jpg', 'SAME.png', 'CON.jpg', '.hidden', '猫 und Hund.jpg'];

const { service, owner } = await startFileService();
const other = await addUser(service, 'bert');
const token = await owner.token('upload');
const images: Image[] = [];
for (const [seed, name] of NAMES.entries())
  images.push(await uploadImage(service, token, await photoJpeg({ width: 64, height: 48, seed: seed + 1 }), {}, name));
await withDatabase(service, (db) =>
  db.as('job').write(async (queries) => {
    const rest = { description: '', visibility: 'private' as const, password_hash: null, cover_key: null, position: 0 };
    await queries
      .insertInto('albums')
      .values({ id: ALBUM, owner_id: 1, name: 'album', created_at: 1, updated_at: 1, ...rest })
      .execute();
  }),
);

const download = (query: string, who = owner) => who.fetch(`/api/v1/images/download?${query}`);
const original = async ({ links }: Image) => contentOf(owner.fetch(new URL(links.url).pathname));

it('packs the selected pictures under names that are safe and unique on every system', async () => {
  const response = await download(`keys=${images.map(({ key }) => key).join(',')}`);
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=pixdock-pictures.zip/);
  const files = await unzip(await contentOf(response));
  expect([...files.keys()].sort()).toEqual(
    ['passwd.jpg', 'x.jpg', 'same.jpg', 'SAME (2).jpg', 'picture CON.jpg', 'hidden.jpg', '猫 und Hund.jpg'].sort(),
  );
  const packed = [...files.values()].map((bytes) => bytes.toString('base64')).sort();
  const stored = await Promise.all(images.map(async (image) => (await original(image)).toString('base64')));
  expect(packed).toEqual(stored.sort());
});

it('packs a whole album, whatever its size', async () => {
  const [first, second] = images as [Image, Image];
  await owner.client.call(batchImages, { body: { action: 'move', keys: [first.key, second.key], album_id: ALBUM } });
  const rows = await withDatabase(service, (db) =>
    db.read.selectFrom('images').selectAll().where('key', '=', first.key).executeTakeFirstOrThrow(),
  );
  // Many rows with the same bytes: more than one page of the list, quickly.
  const { sha256, size } = rows;
  await withDatabase(service, (db) => addImageRows(db, 1, 450, () => ({ sha256, size, album_id: ALBUM, created_at: 5 })));
  const files = await unzip(await contentOf(download(`album_id=${ALBUM}`)));
  expect(files.size).toBe(452);
});

it('packs no pictures of others, from the trash, or unknown ones', async () => {
  const [one] = images as [Image];
  expect((await download(`keys=${one.key}`, other)).status).toBe(404);
  expect((await download(`album_id=${ALBUM}`, other)).status).toBe(404);
  expect((await download(`keys=${one.key},AAAAAAAAAAAA`)).status).toBe(404);
  for (const query of ['', 'keys=', 'keys=..', `keys=${one.key}&album_id=${ALBUM}`]) expect((await download(query)).status).toBe(400);
});

it.skipIf(onPostgres)('aborts when a file is missing midway, and keeps serving', async () => {
  const lost = await uploadImage(service, await owner.token('upload'), await photoJpeg({ width: 64, height: 48, seed: 99 }));
  await rm(join(service.dataDir, 'blobs', lost.sha256.slice(0, 2), lost.sha256.slice(2, 4), lost.sha256));
  await expect(contentOf(download(`keys=${(images[0] as Image).key},${lost.key}`))).rejects.toThrow();
  expect((await download(`keys=${(images[0] as Image).key}`)).status).toBe(200);
  await owner.client.call(batchImages, { body: { action: 'purge', keys: [lost.key] } });
});

it('stops reading when the client disconnects, and closes the current file', async () => {
  const large = await image({ width: 2400, height: 1600, seed: 77 }).png({ compressionLevel: 0 }).toBuffer();
  const token = await owner.token('upload');
  const { key } = await uploadImage(service, token, large, { album_id: ALBUM }, 'large.png');
  await new Promise<void>((resolve, reject) => {
    const request = get(`${service.url}/api/v1/images/download?keys=${key}`, { headers: { cookie: owner.cookie } }, (response) => {
      response.once('data', () => {
        request.destroy();
        resolve();
      });
    });
    request.once('error', (error) => (request.destroyed ? undefined : reject(error)));
  });
  await expect.poll(openBlobs).toEqual([]);
  expect((await download(`keys=${(images[0] as Image).key}`)).status).toBe(200);
});

/** Blobs that this process has open; the service runs in it. Only where the system reports them. */
function openBlobs(): string[] {
  if (process.platform !== 'linux') return [];
  const links = readdirSync('/proc/self/fd').map((fd) => (existsSync(`/proc/self/fd/${fd}`) ? readlinkSync(`/proc/self/fd/${fd}`) : ''));
  return links.filter((path) => path.startsWith(join(service.dataDir, 'blobs')));
}

it('exports all pictures of a user with their metadata, and none of others', async () => {
  const [first, second, third] = images as [Image, Image, Image];
  await owner.client.call(updateImage, { params: { key: first.key }, body: { tags: ['x'], access_password: 'secret' } });
  await owner.client.call(batchImages, { body: { action: 'trash', keys: [second.key] } });
  const files = await unzip(await contentOf(owner.fetch('/api/v1/user/export')));
  const text = (files.get('metadata.json') as Buffer).toString();
  const metadata = JSON.parse(text) as { user: object; albums: object[]; images: (Image & { file: string })[] };
  expect(text).not.toMatch(/argon2|password_hash|secret|delete_url/);
  expect(metadata.user).toMatchObject({ username: 'ada', email: 'ada@example.org' });
  expect(metadata.albums).toMatchObject([{ id: ALBUM, name: 'album' }]);
  const find = ({ key }: Image) => metadata.images.find((image) => image.key === key);
  expect(find(first)).toMatchObject({ tags: ['x'], has_password: true, album_id: ALBUM });
  expect(find(second)?.file).toMatch(/^trash\//);
  expect(files.get(find(third)?.file as string)?.equals(await original(third))).toBe(true);
  expect(files.size).toBe(metadata.images.length + 1);
  const theirs = await unzip(await contentOf(other.fetch('/api/v1/user/export')));
  expect([...theirs.keys()]).toEqual(['metadata.json']);
});

it('packs what the filters match, except some', async () => {
  const { as_of } = await owner.client.call(countImages, { query: {} });
  const [first, second] = images as [Image, Image];
  const files = await unzip(await contentOf(download(`as_of=${as_of}&q=${first.key}`)));
  expect(files.size).toBe(1);
  const rest = await unzip(await contentOf(download(`as_of=${as_of}&type=jpg&to=1970-01-01&except_keys=${first.key},${second.key}`)));
  expect(rest.size).toBe((await owner.client.call(countImages, { query: { type: 'jpg', to: '1970-01-01' } })).count);
  expect(await unzip(await contentOf(download(`as_of=${as_of}&q=${first.key}`, other)))).toEqual(new Map());
  expect((await download('q=x')).status).toBe(400);
  expect((await download(`as_of=${as_of}&keys=${first.key}`)).status).toBe(400);
});

it.each(['/images/download?as_of=0', '/user/export'])('breaks off %s when the session ends', async (path) => {
  const user = await addUser(service, `leaving${path.length}`);
  const own = await user.token('upload');
  const large = await image({ width: 2600, height: 2600, seed: path.length }).png({ compressionLevel: 0 }).toBuffer();
  // Newest first in one of them, oldest first in the other.
  for (const bytes of [large, await photoJpeg({ seed: 90 }), await photoJpeg({ seed: 91 }), large])
    await uploadImage(service, own, bytes, { tags: String(Math.random()) });
  const counted = await user.client.call(countImages, { query: {} });
  const address = `${service.url}/api/v1${path.replace('as_of=0', `as_of=${counted.as_of}`)}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { agent: false, headers: { cookie: user.cookie } }, resolve).on('error', reject);
  });
  await withDatabase(service, (db) =>
    db.as('job').write((queries) => queries.deleteFrom('sessions').where('user_id', '=', user.id).execute()),
  );
  await expect(buffer(response)).rejects.toThrow('aborted');
});

it('gives files names that every system can unpack, cut between characters', async () => {
  const family = '👨‍👩‍👧‍👦';
  const token = await owner.token('full');
  const names = ['长'.repeat(120), '长'.repeat(120), `${family.repeat(30)}.jpg`, 'CON', `a\u202e${'b'.repeat(300)}.jpeg`];
  const keys: string[] = [];
  for (const [index, name] of names.entries())
    keys.push((await uploadImage(service, token, await photoJpeg({ seed: 900 + index }), { name })).key);
  const files = [...(await unzip(await contentOf(download(`keys=${keys.join()}`)))).keys()];
  expect(files).toEqual([
    `${'长'.repeat(83)}.jpg`,
    `${'长'.repeat(82)} (2).jpg`,
    `${family.repeat(10)}.jpg`,
    'picture CON.jpg',
    `a${'b'.repeat(249)}.jpg`,
  ]);
  const exported = [...(await unzip(await contentOf(owner.fetch('/api/v1/user/export')))).keys()];
  expect(exported).toEqual(
    expect.arrayContaining([`pictures/${'长'.repeat(79)}-${keys[0]}.jpg`, `pictures/${family.repeat(9)}-${keys[2]}.jpg`]),
  );
  for (const file of [...files, ...exported]) for (const part of file.split('/')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
  const disposition = (await owner.fetch(`/i/${keys[0]}.jpg?download=1`)).headers.get('content-disposition') ?? '';
  expect(disposition).toContain(`filename*=UTF-8''${encodeURIComponent('长'.repeat(83))}.jpg`);
});
