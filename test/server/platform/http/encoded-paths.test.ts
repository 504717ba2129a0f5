import { expect, it } from 'vitest';
import { createAlbum } from '#api/albums/albums.ts';
import { updateImage } from '#api/images/changes.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { askForPictures } from '#test/helpers/service/requests.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const image = await uploadImage(service, await owner.token('full'), await photoJpeg());
await owner.client.call(updateImage, { params: { key: image.key }, body: { slug: 'sea-side' } });
const album = await owner.client.call(createAlbum, { body: { name: 'Sea', visibility: 'public' } });
const request = await askForPictures(owner);
const deletion = new URL(image.links.delete_url ?? '').pathname;
const get = (path: string, headers = {}) => rawRequest(`${service.url}${path}`, { headers });

/** Encodes every character that means the same when it is encoded. */
const encoded = (path: string) =>
  path.replace(/[\w.~-]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);

const PATHS = [
  `/i/${image.key}.jpg`,
  `/i/sea-side.jpg`,
  `/t/${image.key}.jpg`,
  `/t/${image.key}.webp`,
  `/s/${image.key}`,
  `/a/${album.id}`,
  `/r/${request.id}`,
  deletion,
  '/healthz',
  '/readyz',
  '/docs/api',
  '/manifest.webmanifest',
  '/api/v1/config',
  `/api/v1/s/${image.key}`,
  `/api/v1/a/${album.id}/images`,
  `/api/v1/r/${request.id}`,
];

it.each(PATHS)('%s is the same address with encoded characters', async (path) => {
  const plain = await get(path);
  expect(plain.status).toBe(200);
  const spellings = [encoded(path), encoded(path).toLowerCase(), path.replace('.', '%2E'), path.replace(/[a-z]/, encoded)];
  for (const spelling of spellings) {
    const other = await get(spelling);
    expect([spelling, other.status, other.header('content-type')]).toEqual([spelling, 200, plain.header('content-type')]);
    expect(other.header('content-length')).toBe(plain.header('content-length'));
  }
});

it('the rules for an address hold for each of its spellings', async () => {
  const hidden = await uploadImage(service, await owner.token('full'), await photoJpeg({ seed: 2 }), { visibility: 'private' });
  for (const path of [`/i/${hidden.key}.jpg`, '/api/v1/user', '/api/v1/admin/users', '/api/v1/albums']) {
    const plain = await get(path);
    expect(plain.status).toBeGreaterThanOrEqual(401);
    expect((await get(encoded(path))).status).toBe(plain.status);
  }
  const path = `/api/v1/s/${hidden.key}/unlock`;
  const unlock = (to: string) =>
    rawRequest(`${service.url}${to}`, { method: 'POST', body: { password: 'x' }, headers: { origin: 'http://evil.example' } });
  expect([(await unlock(path)).code, (await unlock(encoded(path))).code]).toEqual(['cross_site', 'cross_site']);
});

it('characters that mean something else when they are encoded stay as they are', async () => {
  for (const path of [`/%2Fi/${image.key}.jpg`, `/i%2F${image.key}.jpg`, `/i/${image.key}.jpg%3Fdownload=1`, `/i/${image.key}%252Ejpg`])
    expect([path, (await get(path)).header('content-type')]).not.toEqual([path, 'image/jpeg']);
  expect((await get(`/i/${image.key}%ZZ.jpg`)).status).toBe(400);
  expect((await get('/%2e%2e/%2e%2e/etc/passwd')).body).not.toContain('root:');
  // What a query contains is decoded once, by who reads it.
  expect((await get(`/t/${image.key}.jpg?w=%31%32%30`)).status).toBe(200);
  expect((await get(`/api/v1/images?q=%2541`, { cookie: owner.cookie })).status).toBe(200);
});

it('an address that another site asks about may be in any spelling, too', async () => {
  const ask = async (url: string) => (await get(`/oembed?url=${encodeURIComponent(url)}`)).status;
  const { origin, pathname } = new URL(image.links.share_url);
  const { port } = new URL(origin);
  for (const url of [`${origin}${encoded(pathname)}`, `http://LOCALHOST.:${port}${pathname}`]) {
    const { status } = await rawRequest(`${service.url}/oembed?url=${encodeURIComponent(url)}`, { headers: { host: `localhost:${port}` } });
    expect([url, status]).toEqual([url, 200]);
  }
  expect(await ask(`http://evil.example${pathname}`)).toBe(404);
});
