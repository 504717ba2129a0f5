import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changeUser, transferUser } from '#api/admin/users.ts';
import { getImage } from '#api/images/images.ts';
import { loadSecrets } from '#server/platform/config/secrets.ts';
import { errorHandler } from '#server/platform/http/errors/envelope.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { dataOf, type Sharing, startSharing } from '#test/helpers/service/sharing.ts';

let sharing: Sharing;
beforeAll(async () => {
  sharing = await startSharing();
  await withDatabase(sharing.service, (db) =>
    db.as('job').write((queries) => queries.insertInto('settings').values({ name: 'guest_upload_enabled', value: 'true' }).execute()),
  );
  await sharing.service.restart();
});
afterAll(() => sharing[Symbol.asyncDispose]());

/** The API address that belongs to a deletion page's link. */
const apiOf = (link: string | undefined) => String(link).replace('/delete/', '/api/v1/delete/');
const uploadAsGuest = async (seed: number) => uploadImage(sharing.service, undefined, await photoJpeg({ seed, width: 60, height: 40 }));

it('is returned to the uploader only', async () => {
  const image = await sharing.upload();
  expect(image.links.delete_url).toMatch(new RegExp(`^${sharing.url}/delete/${image.key}/[\\w-]{22}$`));
  const own = await dataOf(await sharing.bea.fetch(`/api/v1/images/${image.key}`));
  expect(own.links).toEqual(image.links);
  const shared = await dataOf(await fetch(`${sharing.url}/api/v1/s/${image.key}`));
  expect(shared.links).not.toHaveProperty('delete_url');
});

it('opens a confirmation page; opening it deletes nothing', async () => {
  const image = await sharing.upload({}, 'to be deleted.jpg');
  const page = await fetch(String(image.links.delete_url));
  expect([page.status, page.headers.get('content-type'), page.headers.get('x-robots-tag')]).toEqual([
    200,
    'text/html; charset=utf-8',
    'noindex',
  ]);
  expect(await dataOf(await fetch(apiOf(image.links.delete_url)))).toEqual({
    key: image.key,
    name: 'to be deleted.jpg',
    ext: 'jpg',
    size: image.size,
    width: 80,
    height: 60,
    created_at: image.created_at,
    thumbnail_url: image.links.thumbnail_url,
    permanent: false,
  });
  expect((await fetch(image.links.url)).status).toBe(200);
});

it('does not link a preview that the caller cannot see', async () => {
  for (const [name, value] of [
    ['visibility', 'private'],
    ['access_password', 'sesame'],
    ['max_views', '5'],
  ] as const) {
    const { links } = await sharing.upload({ [name]: value });
    expect((await dataOf(await fetch(apiOf(links.delete_url)))).thumbnail_url).toBeNull();
    expect((await dataOf(await fetch(apiOf(links.delete_url), { headers: { cookie: sharing.bea.cookie } }))).thumbnail_url).not.toBeNull();
  }
});

it("puts a user's picture into their trash, from where it comes back", async () => {
  const image = await sharing.upload();
  const address = apiOf(image.links.delete_url);
  expect((await fetch(address, { method: 'POST' })).status).toBe(200);
  expect((await fetch(image.links.url)).status).toBe(404);
  expect((await fetch(address)).status).toBe(404);
  expect((await fetch(address, { method: 'POST' })).status).toBe(404);
  const trash = await dataOf(await sharing.bea.fetch('/api/v1/trash'));
  expect((trash.items as { key: string }[]).map(({ key }) => key)).toContain(image.key);
});

it("deletes a guest's picture permanently", async () => {
  const image = await uploadAsGuest(800);
  expect(await dataOf(await fetch(apiOf(image.links.delete_url)))).toMatchObject({ key: image.key, permanent: true });
  expect((await fetch(apiOf(image.links.delete_url), { method: 'POST' })).status).toBe(200);
  expect((await fetch(image.links.url)).status).toBe(404);
  const [rows, blob] = await withDatabase(sharing.service, async (db) => [
    await db.read.selectFrom('images').select('id').where('key', '=', image.key).execute(),
    await db.read.selectFrom('blobs').select('unused_since').where('sha256', '=', image.sha256).executeTakeFirst(),
  ]);
  expect([rows, blob?.unused_since ?? 0]).toEqual([[], blob ? expect.any(Number) : 0]);
  expect(await readdir(join(sharing.service.dataDir, 'tmp'))).toEqual([]);
});

it('stops working when the account is disabled, permanently; the next one works', async () => {
  const { service, bea, cleo, admin } = sharing;
  const setDisabled = (id: number, disabled: boolean) => admin.client.call(changeUser, { params: { id: String(id) }, body: { disabled } });
  const dora = await addUser(service, 'dora');
  const image = await uploadImage(service, await dora.token('full'), await photoJpeg({ seed: 900, width: 60, height: 40 }));
  const former = apiOf(image.links.delete_url);
  const others = await sharing.upload();
  expect((await fetch(former)).status).toBe(200);
  await setDisabled(dora.id, true);
  for (const method of ['GET', 'POST']) expect((await fetch(former, { method })).status).toBe(404);
  await setDisabled(dora.id, false);
  for (const who of [{}, { headers: { cookie: bea.cookie } }, { headers: { cookie: cleo.cookie } }])
    expect((await fetch(former, { method: 'POST', ...who })).status).toBe(404);
  expect((await fetch(image.links.url)).status).toBe(200);
  const again = await newSession(service, 'dora', USER_PASSWORD);
  const { links } = await again.client.call(getImage, { params: { key: image.key } });
  expect(links.delete_url).not.toBe(image.links.delete_url);
  expect((await fetch(apiOf(links.delete_url), { method: 'POST' })).status).toBe(200);
  // Those of everyone else stay as they are.
  expect((await bea.client.call(getImage, { params: { key: others.key } })).links.delete_url).toBe(others.links.delete_url);
});

it('stops working when the picture moves to another account', async () => {
  const { service, cleo, admin, upload } = sharing;
  const emil = await addUser(service, 'emil');
  const image = await uploadImage(service, await emil.token('full'), await photoJpeg({ seed: 901, width: 60, height: 40 }));
  const [former, others] = [apiOf(image.links.delete_url), await upload()];
  expect((await fetch(former)).status).toBe(200);
  await admin.client.call(transferUser, { params: { id: String(emil.id) }, body: { to_user_id: cleo.id } });
  for (const headers of [{}, { cookie: emil.cookie }] as Record<string, string>[])
    for (const method of ['GET', 'POST']) expect((await fetch(former, { method, headers })).status).toBe(404);
  const { links } = await cleo.client.call(getImage, { params: { key: image.key } });
  expect((await fetch(apiOf(links.delete_url), { method: 'POST' })).status).toBe(200);
  expect((await fetch(image.links.url)).status).toBe(404);
  expect((await fetch(apiOf(others.links.delete_url))).status).toBe(200);
});

it('keeps the address that it had before it could be renewed', async () => {
  const { links, key } = await sharing.upload();
  const secrets = await loadSecrets(sharing.service.dataDir);
  expect(links.delete_url).toBe(`${sharing.url}/delete/${key}/${secrets.sign('delete', key).slice(0, 22)}`);
});

it('has no effect with another secret, another key, or from another site', async () => {
  const [image, other] = [await sharing.upload(), await sharing.upload()];
  const secretOf = (link: string | undefined) => String(link).split('/').at(-1) as string;
  const [right, foreign] = [secretOf(image.links.delete_url), secretOf(other.links.delete_url)];
  const flipped = (right.startsWith('A') ? 'B' : 'A') + right.slice(1);
  const base = `${sharing.url}/api/v1/delete`;
  for (const path of [
    `${image.key}/${foreign}`,
    `${image.key}/${flipped}`,
    `${image.key}/${right.slice(0, -1)}`,
    `${image.key}/${right}A`,
    `${image.key}/x`,
    `AAAAAAAAAAAA/${right}`,
    `nonsense/${right}`,
  ])
    for (const method of ['GET', 'POST']) expect([path, (await fetch(`${base}/${path}`, { method })).status]).toEqual([path, 404]);
  const crossSite = await fetch(apiOf(image.links.delete_url), { method: 'POST', headers: { origin: 'https://evil.example' } });
  expect([crossSite.status, (await dataOf(crossSite)).code]).toEqual([403, 'cross_site']);
  expect((await fetch(image.links.url)).status).toBe(200);
});

it('logs the key of a failing deletion link, but never its secret', async () => {
  let written = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const app = express();
  app.use(() => {
    throw new Error('planted');
  });
  app.use(errorHandler(pino(sink), () => ({ accent: null })));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const path of ['/delete/AAAAAAAAAAAA/the-secret', '/api/v1/delete/AAAAAAAAAAAA/the-secret/more'])
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(500);
  server.close();
  expect(written.match(/planted/g)?.length).toBeGreaterThanOrEqual(2);
  expect(written).toContain('/delete/AAAAAAAAAAAA/…');
  expect(written).not.toContain('the-secret');
});
