import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShare } from '#api/sharing/shares.ts';
import { dataOf, type Sharing, sendJson, startSharing } from '#test/helpers/service/sharing.ts';

let sharing: Sharing;
beforeAll(async () => {
  sharing = await startSharing();
});
afterAll(() => sharing[Symbol.asyncDispose]());

const share = async (key: string, headers: Record<string, string> = {}) =>
  dataOf(await fetch(`${sharing.url}/api/v1/s/${key}`, { headers }));
const unlock = (key: string, body: unknown, headers: Record<string, string> = {}) =>
  sendJson(`${sharing.url}/api/v1/s/${key}/unlock`, 'POST', body, headers);

it('has everything needed to show and copy a public picture, and nothing about its owner or album', async () => {
  const created = await sharing.bea.fetch('/api/v1/albums', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Secret album name', visibility: 'public' }),
  });
  const album = String((await dataOf(created)).id);
  const image = await sharing.upload({ album_id: album, expires_in: '3600', max_views: '7' }, 'Küche 厨房.jpg');
  const data = await share(image.key);
  const { delete_url: _, ...links } = image.links;
  expect(data).toEqual({
    key: image.key,
    password_required: false,
    name: 'Küche 厨房.jpg',
    title: '',
    caption: '',
    alt: '',
    ext: 'jpg',
    mime: 'image/jpeg',
    size: image.size,
    width: 80,
    height: 60,
    kind: 'picture',
    duration: null,
    has_audio: false,
    created_at: image.created_at,
    expires_at: image.expires_at,
    max_views: 7,
    views_left: 7,
    links,
  });
  openShare.strict().parse(data);
  const page = await (await fetch(`${sharing.url}/s/${image.key}`)).text();
  for (const text of [JSON.stringify(data), page])
    for (const secret of [album, 'Secret album name', 'bea', '/delete/']) expect(text).not.toContain(secret);
  for (const headers of Object.values(sharing.owners)) expect(await share(image.key, headers)).toEqual(data);
});

it('has no remaining views for a picture without a limit', async () => {
  expect(await share((await sharing.upload()).key)).toMatchObject({ max_views: 0, views_left: null, expires_at: null });
});

describe('unlocking', () => {
  it('returns the metadata of a picture without a password, and sets no cookie', async () => {
    const { key } = await sharing.upload();
    const response = await unlock(key, { password: 'anything' });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null]);
    expect(await dataOf(response)).toMatchObject({ key, password_required: false });
  });

  it('does not reveal whether a private, unknown or expired picture has a password', async () => {
    const hidden = await sharing.upload({ visibility: 'private', access_password: 'open sesame' });
    const expired = await sharing.upload({ access_password: 'open sesame' });
    await sharing.alter(expired.key, { expires_at: 1 });
    for (const password of ['open sesame', 'wrong']) {
      expect((await unlock(hidden.key, { password })).status).toBe(404);
      expect((await unlock('AAAAAAAAAAAA', { password })).status).toBe(404);
      expect((await unlock(expired.key, { password })).status).toBe(410);
    }
  });

  it('reports a used-up picture only to clients with its password', async () => {
    const { key } = await sharing.upload({ access_password: 'open sesame', max_views: '1' });
    await sharing.alter(key, { limited_views: 1 });
    expect((await unlock(key, { password: 'wrong' })).status).toBe(401);
    const right = await unlock(key, { password: 'open sesame' });
    expect([right.status, (await dataOf(right)).code]).toEqual([410, 'view_limit_reached']);
  });

  it.each([{}, { password: '' }, { password: 5 }, { password: null }, [], 'text'])('refuses the body %j', async (body) => {
    const { key } = await sharing.upload({ access_password: 'open sesame' });
    const response = await unlock(key, body);
    expect([response.status, (await dataOf(response)).code]).toEqual([400, 'invalid_request']);
  });

  it('accepts JSON only', async () => {
    const { key } = await sharing.upload({ access_password: 'open sesame' });
    const response = await fetch(`${sharing.url}/api/v1/s/${key}/unlock`, { method: 'POST', body: 'password=open+sesame' });
    expect(response.status).toBe(415);
  });

  it("lets a picture's owner try its password, too", async () => {
    const { key } = await sharing.upload({ access_password: 'open sesame' });
    const { cookie } = sharing.bea;
    expect((await unlock(key, { password: 'wrong' }, { cookie })).status).toBe(401);
    expect((await unlock(key, { password: 'open sesame' }, { cookie })).status).toBe(200);
  });
});
