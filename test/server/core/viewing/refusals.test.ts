import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf, type Sharing, startSharing } from '#test/helpers/sharing.ts';

/** What browsers send: on https and loopback with `Sec-Fetch-Dest`, on the plain LAN address without. */
const PERSON = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8';
const CHROME_IMG = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
const FIREFOX_IMG = 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';
const PAGES = [{ accept: PERSON }, { accept: PERSON, 'sec-fetch-dest': 'document' }];
const IMGS = [{ accept: CHROME_IMG }, { accept: FIREFOX_IMG }, { accept: '*/*', 'sec-fetch-dest': 'image' }];
const PROGRAMS = [{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: PERSON, 'sec-fetch-dest': 'empty' }];

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

  it('leads a person to its share page', async () => {
    for (const headers of PAGES) {
      const answer = await get(path(), headers as Record<string, string>);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, `/s/${keys[state]}`]);
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(answer.headers.get('etag')).toBeNull();
    }
  });

  it('gives an <img> a small picture that says why, on any site', async () => {
    for (const headers of IMGS) {
      const answer = await get(path(), headers as Record<string, string>);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'image/svg+xml; charset=utf-8']);
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(answer.headers.get('content-security-policy')).toContain('sandbox');
      const drawing = await answer.text();
      expect(drawing).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="400" height="300" /);
      expect(drawing).toContain(says);
    }
  });

  it('tells programs in JSON', async () => {
    for (const headers of PROGRAMS) {
      const answer = await get(path(), headers as Record<string, string>);
      expect([answer.status, (await dataOf(answer)).code]).toEqual([status, code]);
    }
  });
});

it('tells of a picture that does not exist only that, in whatever form it is asked for', async () => {
  const { key } = await sharing.upload({ visibility: 'private' });
  for (const headers of [...PAGES, ...IMGS, ...PROGRAMS]) {
    const [unknown, hidden] = await Promise.all([get('/i/AAAAAAAAAAAA.jpg', headers as never), get(`/i/${key}.jpg`, headers as never)]);
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { status: false, message: expect.any(String), data: { code: 'not_found' } },
    ]);
    expect(hidden.status).toBe(404);
  }
});

it('shows the last view to who comes first, and explains to a person who comes second', async () => {
  const { key, size } = await sharing.upload({ max_views: '1' });
  const first = await get(`/i/${key}.jpg`, { accept: PERSON });
  expect([first.status, (await first.arrayBuffer()).byteLength]).toEqual([200, size]);
  expect((await get(`/i/${key}.jpg`, { accept: PERSON })).headers.get('location')).toBe(`/s/${key}`);
});
