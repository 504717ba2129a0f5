import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImageIndex } from '#server/core/images/image-index.ts';
import { openPresent } from '#server/core/viewing/open-present.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { dataOf, type Sharing, startSharing } from '#test/helpers/service/sharing.ts';

/** Headers that browsers send: with `Sec-Fetch-Dest` on https and loopback, without it on a plain LAN address. */
const PERSON = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8';
const CHROME_IMG = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
const FIREFOX_IMG = 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';
/** Firefox before 128. */
const OLD_FIREFOX_IMG = 'image/avif,image/webp,*/*';
const PAGES = [{ accept: PERSON }, { accept: PERSON, 'sec-fetch-dest': 'document' }];
const IMGS = [{ accept: CHROME_IMG }, { accept: FIREFOX_IMG }, { accept: OLD_FIREFOX_IMG }, { accept: '*/*', 'sec-fetch-dest': 'image' }];
const PROGRAMS = [
  {},
  { accept: '*/*' },
  { accept: 'application/json' },
  { accept: 'image/png, application/json' },
  { accept: PERSON, 'sec-fetch-dest': 'empty' },
];

let sharing: Sharing;
const keys: Record<'locked' | 'expired' | 'used up' | 'view-limited', string> = {} as never;
beforeAll(async () => {
  sharing = await startSharing();
  keys.locked = (await sharing.upload({ access_password: 'open sesame' })).key;
  keys.expired = (await sharing.upload()).key;
  keys['used up'] = (await sharing.upload({ max_views: '2' })).key;
  keys['view-limited'] = (await sharing.upload({ max_views: '2' })).key;
  await sharing.alter(keys.expired, { expires_at: 1 });
  await sharing.alter(keys['used up'], { limited_views: 2 });
});
afterAll(() => sharing[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string>) => fetch(sharing.url + path, { headers, redirect: 'manual' });

const REFUSED = [
  ['locked', 'i', 401, 'password_required', 'password-protected'],
  ['locked', 't', 401, 'password_required', 'password-protected'],
  ['expired', 'i', 410, 'expired', 'has expired'],
  ['expired', 't', 410, 'expired', 'has expired'],
  ['used up', 'i', 410, 'view_limit_reached', 'view limit'],
  ['used up', 't', 410, 'view_limit_reached', 'view limit'],
  ['view-limited', 't', 403, 'thumbnail_withheld', 'No preview'],
] as const;

describe.each(REFUSED)('a picture that is %s, at /%s', (state, place, status, code, says) => {
  const path = () => `/${place}/${keys[state]}.jpg`;

  it('redirects page requests to its share page', async () => {
    for (const headers of PAGES) {
      const response = await get(path(), headers as Record<string, string>);
      expect([response.status, response.headers.get('location')]).toEqual([302, `/s/${keys[state]}`]);
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      expect(response.headers.get('etag')).toBeNull();
    }
  });

  it('responds to an <img> on any site with a small picture that names the reason', async () => {
    for (const headers of IMGS) {
      const response = await get(path(), headers as Record<string, string>);
      expect([response.status, response.headers.get('content-type')]).toEqual([status, 'image/svg+xml; charset=utf-8']);
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(response.headers.get('content-security-policy')).toContain('sandbox');
      const drawing = await response.text();
      expect(drawing).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="400" height="300" /);
      expect(drawing).toContain(says);
    }
  });

  it('responds to programs in JSON', async () => {
    for (const headers of PROGRAMS) {
      const response = await get(path(), headers as Record<string, string>);
      expect([response.status, (await dataOf(response)).code]).toEqual([status, code]);
    }
  });
});

it('responds with 404 to a hidden picture as to an unknown one, whatever the headers', async () => {
  const { key } = await sharing.upload({ visibility: 'private' });
  for (const headers of [...PAGES, ...IMGS, ...PROGRAMS]) {
    const [unknown, hidden] = await Promise.all([get('/i/AAAAAAAAAAAA.jpg', headers as never), get(`/i/${key}.jpg`, headers as never)]);
    expect([unknown.status, hidden.status]).toEqual([404, 404]);
    expect(hidden.headers.get('content-type')).toBe(unknown.headers.get('content-type'));
    expect(await hidden.text()).toBe(await unknown.text());
  }
});

it('serves the last view to the first request, and redirects the next one to the share page', async () => {
  const { key, size } = await sharing.upload({ max_views: '1' });
  const first = await get(`/i/${key}.jpg`, { accept: PERSON });
  expect([first.status, (await first.arrayBuffer()).byteLength]).toEqual([200, size]);
  expect((await get(`/i/${key}.jpg`, { accept: PERSON })).headers.get('location')).toBe(`/s/${key}`);
});

let _token: string;
const { service, owner } = await startFileService();
const token = await owner.token('upload');

/** Opens a missing file for an image whose row changes in the meantime. */
async function openWhile(change: 'delete' | 'empty' | 'replace' | 'leave') {
  const { key } = await uploadImage(service, token, await photoJpeg({ seed: change.charCodeAt(0) }));
  return withDatabase(service, async (db) => {
    const find = () => createImageIndex(db).find(key);
    const set = (values: Partial<ImageRow>) =>
      db.as('job').write((queries) => queries.updateTable('images').set(values).where('key', '=', key).execute());
    return openPresent((await find()) as ImageRow, find, async () => {
      if (change === 'delete') await db.as('job').write((queries) => queries.deleteFrom('images').where('key', '=', key).execute());
      if (change === 'empty') await set({ emptied_at: 1 });
      if (change === 'replace') await set({ sha256: 'ab'.repeat(32) });
      return createFileReader().open(join(service.dataDir, 'blobs', 'gone'));
    });
  });
}

it('reports a picture that was deleted, replaced or expired in the meantime', async () => {
  await expect(openWhile('delete')).rejects.toMatchObject({ code: 'not_found' });
  await expect(openWhile('replace')).rejects.toMatchObject({ code: 'not_found', message: expect.stringMatching(/just been replaced/) });
  await expect(openWhile('empty')).rejects.toMatchObject({ code: 'expired' });
});

it('reports the lost bytes of a picture that still exists', async () => {
  await expect(openWhile('leave')).rejects.toThrow('is missing');
});
