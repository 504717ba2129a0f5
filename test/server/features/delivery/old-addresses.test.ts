import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deleteOldAddresses, getOldAddresses, putOldAddresses } from '#api/admin/old-addresses.ts';
import { updateImage } from '#api/images/changes.ts';
import { trashImage } from '#api/images/images.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const user = await addUser(service, 'grace');
const token = await user.token('full');
let number = 40_000_000;
const newImage = (fields: Record<string, string> = {}) => uploadImage(service, token, tinyPng(number++), fields);

const put = (addresses: [old: string, now: string][], replace?: boolean) =>
  owner.client.call(putOldAddresses, { body: { addresses: addresses.map(([old, now]) => ({ old, now })), ...(replace && { replace }) } });
const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { redirect: 'manual', headers });

/** What a client sees of a response, but what differs each time. */
async function seen(response: Response) {
  const headers = Object.fromEntries(response.headers);
  for (const name of ['date', 'x-request-id', 'content-length']) delete headers[name];
  return { status: response.status, headers, body: (await response.text()).replace(/"request_id":"[^"]*"/, '') };
}

it('leads a thousand old addresses to their pictures', async () => {
  const images = await Promise.all(Array.from({ length: 20 }, () => newImage()));
  const linkOf = (index: number) => images[index % images.length]?.links.url ?? '';
  const addresses = Array.from({ length: 1_000 }, (_, index): [string, string] => [
    `https://old.example.org/u/pic ${index}.png?v=1`,
    linkOf(index),
  ]);
  expect(await put(addresses, true)).toEqual({ count: 1_000, refused: [] });
  const responses = await Promise.all(addresses.map((_, index) => get(`/u/pic%20${index}.png`)));
  expect(responses.map(({ status, headers }) => ({ status, location: headers.get('location') }))).toEqual(
    addresses.map(([, now]) => ({ status: 301, location: new URL(now).pathname })),
  );
});

it.each([
  ['private', (key: string) => user.client.call(updateImage, { params: { key }, body: { visibility: 'private' } })],
  ['protected by a password', (key: string) => user.client.call(updateImage, { params: { key }, body: { access_password: 'sesame' } })],
  ['in the trash', (key: string) => user.client.call(trashImage, { params: { key } })],
] as const)('tells nobody that there is a picture that is %s', async (_, change) => {
  const image = await newImage();
  await put([['/u/secret.png', image.links.url]]);
  expect((await get('/u/secret.png')).headers.get('cache-control')).toBe('public, max-age=3600');
  await change(image.key);
  const visitors: Record<string, string>[] = [
    { accept: 'text/html' },
    { accept: 'image/*' },
    { authorization: `Bearer ${await user.token('upload')}` },
  ];
  for (const headers of visitors)
    expect(await seen(await get('/u/secret.png', headers))).toEqual(await seen(await get('/u/nothing.png', headers)));
});

it('leads the owner of a private picture to it, and lets no cache keep that', async () => {
  const image = await newImage({ visibility: 'private' });
  await put([['/own.png', image.links.url]]);
  const response = await get('/own.png', { cookie: user.cookie });
  expect(response.status).toBe(301);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
});

it('never takes the place of what Pixdock has itself', async () => {
  const { links, key } = await newImage();
  const own = ['/', '/albums/x', '/admin', '/settings/tokens', '/upload', '/sign-in', '/trash/'];
  const { refused } = await put([
    ...own.map((path): [string, string] => [path, links.url]),
    ['/healthz', links.url],
    [`/s/${key}`, links.url],
  ]);
  expect(refused).toEqual(own.map((old) => ({ old, reason: 'own_address' })));
  expect((await get('/healthz')).status).toBe(200);
  expect((await get(`/s/${key}`, { accept: 'text/html' })).status).toBe(200);
  const router = await readFile(join(import.meta.dirname, '../../../../renderer/router.tsx'), 'utf8');
  const pages = [...router.matchAll(/path: '(\/[^']*)'/g)].map(([, path = '']) => path.replace(/\$\w+/g, 'x'));
  expect(pages.length).toBeGreaterThan(8);
  expect((await put(pages.map((path) => [path, links.url]))).refused).toHaveLength(pages.length);
});

it('names what it leaves out, and removes all', async () => {
  const { links } = await newImage();
  const rows: [string, string][] = [
    ['no address', links.url],
    ['/a.png', 'https://elsewhere.example.org/i/aaaaaaaaaaaa.png'],
    ['/b.png', 'nonsense'],
    ['/c\u0000.png', links.url],
    ['//d.png', links.url],
    ['/%zz.png', links.url],
  ];
  expect(await put(rows, true)).toEqual({
    count: 2,
    refused: [
      { old: 'no address', reason: 'not_an_address' },
      { old: '/b.png', reason: 'no_such_picture' },
      { old: '/c\u0000.png', reason: 'not_an_address' },
      { old: '/a.png', reason: 'no_such_picture' },
    ],
  });
  expect((await get('/%zz.png')).status).toBe(301);
  await owner.client.call(deleteOldAddresses, {});
  expect(await owner.client.call(getOldAddresses, {})).toEqual({ count: 0 });
  expect((await get('//d.png')).status).not.toBe(301);
});
