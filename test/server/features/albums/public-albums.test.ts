import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPublicAlbum, publicAlbumImage } from '#api/albums/albums.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { dataOf, type Sharing, sendJson, startSharing } from '#test/helpers/service/sharing.ts';

const PASSWORD = { access_password: 'open sesame' };

let sharing: Sharing;
beforeAll(async () => {
  sharing = await startSharing();
});
afterAll(() => sharing[Symbol.asyncDispose]());

async function create(body: object): Promise<string> {
  const created = await sendJson(
    `${sharing.url}/api/v1/albums`,
    'POST',
    { name: 'An album', visibility: 'public', ...body },
    {
      cookie: sharing.bea.cookie,
    },
  );
  return String((await dataOf(created)).id);
}
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${sharing.url}/api/v1/a/${path}`, { headers });
const keysOf = async (path: string, headers: Record<string, string> = {}) =>
  ((await dataOf(await get(path, headers))).items as { key: string }[]).map(({ key }) => key);
const unlock = (id: string, password: string, headers: Record<string, string> = {}) =>
  sendJson(`${sharing.url}/api/v1/a/${id}/unlock`, 'POST', { password }, headers);
const pairOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] as string;
const unlockImage = async (key: string, headers: Record<string, string> = {}) =>
  pairOf(await sendJson(`${sharing.url}/api/v1/s/${key}/unlock`, 'POST', { password: 'open sesame' }, headers));

describe('a public album', () => {
  it('shows everyone its name, its public pictures, newest first, and their links', async () => {
    const id = await create({ name: 'Sommer 夏', description: 'by the sea' });
    const [first, second] = [await sharing.upload({ album_id: id }), await sharing.upload({ album_id: id })];
    const data = await dataOf(await get(id));
    openPublicAlbum.strict().parse(data);
    expect(data).toEqual({
      id,
      password_required: false,
      name: 'Sommer 夏',
      description: 'by the sea',
      image_count: 2,
      limited_count: 0,
      expires_at: null,
      can_download: true,
      cover_url: second.links.thumbnail_url,
      created_at: expect.any(String),
    });
    const page = await dataOf(await get(`${id}/images`));
    for (const item of page.items as unknown[]) publicAlbumImage.strict().parse(item);
    const { key, name, ext, width, height, links } = second;
    expect(page).toMatchObject({
      items: [
        { key, name, ext, width, height, url: links.url, thumbnail_url: links.thumbnail_url, share_url: links.share_url },
        { key: first.key },
      ],
      next_cursor: null,
    });
  });

  it('has pages that new pictures do not shift, and cursors that reveal nothing', async () => {
    const id = await create({});
    const keys: string[] = [];
    for (let index = 0; index < 7; index++) keys.unshift((await sharing.upload({ album_id: id })).key);
    for (const fields of [{ visibility: 'private' }, PASSWORD, { max_views: '3' }])
      await sharing.upload({ ...(fields as Record<string, string>), album_id: id });
    const first = await dataOf(await get(`${id}/images?limit=3`));
    await sharing.upload({ album_id: id });
    const second = await dataOf(await get(`${id}/images?limit=3&cursor=${first.next_cursor}`));
    const third = await dataOf(await get(`${id}/images?limit=3&cursor=${second.next_cursor}`));
    const found = [first, second, third].flatMap(({ items }) => (items as { key: string }[]).map(({ key }) => key));
    expect(found).toEqual(keys);
    expect(third.next_cursor).toBeNull();
    const cursor = Buffer.from(String(first.next_cursor), 'base64url').toString('latin1');
    expect(cursor).not.toMatch(new RegExp(`\\d{6}|${keys[2]}`));
  });

  it('ends with its last public picture, however many hidden ones follow', async () => {
    const id = await create({});
    await sharing.upload({ album_id: id, visibility: 'private' });
    await sharing.upload({ album_id: id, ...PASSWORD });
    const open = await sharing.upload({ album_id: id });
    const page = await dataOf(await get(`${id}/images?limit=1`));
    expect(page).toMatchObject({ items: [{ key: open.key }], next_cursor: null });
  });

  it.each(['cursor=nonsense', 'limit=0', 'limit=201', 'limit=x', 'cursor=&limit=5', 'limit=1&limit=2'])('refuses ?%s', async (query) => {
    const response = await get(`${await create({})}/images?${query}`);
    expect([response.status, (await dataOf(response)).code]).toEqual([400, 'invalid_request']);
  });

  it('shows others the chosen cover only if they can open it', async () => {
    const id = await create({});
    const open = await sharing.upload({ album_id: id });
    const hidden = await sharing.upload({ album_id: id, visibility: 'private' });
    const choose = (cover_key: string) =>
      sendJson(`${sharing.url}/api/v1/albums/${id}`, 'PATCH', { cover_key }, { cookie: sharing.bea.cookie });
    await choose(hidden.key);
    expect((await dataOf(await get(id))).cover_url).toBe(open.links.thumbnail_url);
    expect((await dataOf(await get(id, { cookie: sharing.bea.cookie }))).cover_url).toBe(hidden.links.thumbnail_url);
    await sharing.bea.fetch(`/api/v1/images/${open.key}`, { method: 'DELETE' });
    expect(await dataOf(await get(id))).toMatchObject({ cover_url: null, image_count: 0 });
  });

  it('shows a password-protected picture in its place to viewers who unlocked it', async () => {
    const id = await create({});
    const oldest = await sharing.upload({ album_id: id });
    const locked = await sharing.upload({ album_id: id, ...PASSWORD });
    const other = await sharing.upload({ album_id: id, ...PASSWORD });
    const newest = await sharing.upload({ album_id: id });
    const elsewhere = await sharing.upload(PASSWORD);
    expect(await keysOf(`${id}/images`)).toEqual([newest.key, oldest.key]);
    const cookie = [
      await unlockImage(locked.key),
      await unlockImage(elsewhere.key),
      `pixdock_unlock_image_${other.key}=99999999999999.x`,
    ].join('; ');
    expect(await keysOf(`${id}/images`, { cookie })).toEqual([newest.key, locked.key, oldest.key]);
    expect(await dataOf(await get(id, { cookie }))).toMatchObject({ image_count: 3 });
    const first = await dataOf(await get(`${id}/images?limit=1`, { cookie }));
    const second = await dataOf(await get(`${id}/images?limit=1&cursor=${first.next_cursor}`, { cookie }));
    const third = await dataOf(await get(`${id}/images?limit=1&cursor=${second.next_cursor}`, { cookie }));
    expect([first, second, third].map(({ items }) => (items as { key: string }[])[0]?.key)).toEqual([newest.key, locked.key, oldest.key]);
    expect(third.next_cursor).toBeNull();
  });
});

describe('a private or unknown album', () => {
  it('is not found by others, but by its owner and admins', async () => {
    const id = await create({ visibility: 'private', ...PASSWORD });
    const { key } = await sharing.upload({ album_id: id });
    for (const [name, headers] of Object.entries(sharing.strangers)) {
      for (const one of [id, 'AAAAAAAAAA', 'short', `${id}x`]) {
        const statuses = [
          await get(one, headers),
          await get(`${one}/images`, headers),
          await fetch(`${sharing.url}/a/${one}`, { headers }),
        ];
        expect([name, one, statuses.map(({ status }) => status)]).toEqual([name, one, [404, 404, 404]]);
        expect([name, one, (await unlock(one, 'open sesame', headers)).status]).toEqual([name, one, 404]);
      }
    }
    for (const [name, headers] of Object.entries({ ...sharing.owners, 'an admin': { cookie: sharing.admin.cookie } })) {
      expect([name, await dataOf(await get(id, headers))]).toMatchObject([name, { id, password_required: false, image_count: 1 }]);
      expect([name, await keysOf(`${id}/images`, headers)]).toEqual([name, [key]]);
      expect((await fetch(`${sharing.url}/a/${id}`, { headers })).status).toBe(200);
    }
  });

  it('is not revealed by a shared picture in it', async () => {
    const id = await create({ visibility: 'private', name: 'Secret album name' });
    const { key } = await sharing.upload({ album_id: id });
    const share = await (await fetch(`${sharing.url}/api/v1/s/${key}`)).text();
    const page = await (await fetch(`${sharing.url}/s/${key}`)).text();
    const original = await fetch(`${sharing.url}/i/${key}.jpg`);
    for (const text of [share, page, JSON.stringify([...original.headers])]) {
      expect(text).not.toContain(id);
      expect(text).not.toContain('Secret album name');
    }
  });
});

describe('a password-protected album', () => {
  it('shows others only its ID until it is unlocked', async () => {
    const id = await create(PASSWORD);
    const { key } = await sharing.upload({ album_id: id });
    for (const [name, headers] of Object.entries(sharing.strangers)) {
      expect([name, await dataOf(await get(id, headers))]).toEqual([name, { id, password_required: true }]);
      const images = await get(`${id}/images`, headers);
      expect([name, images.status, await dataOf(images)]).toEqual([name, 401, { code: 'password_required', retry: 'never' }]);
    }
    for (const headers of Object.values(sharing.owners)) expect(await keysOf(`${id}/images`, headers)).toEqual([key]);
    const response = await unlock(id, 'open sesame');
    expect([response.status, await dataOf(response)]).toMatchObject([
      200,
      { id, password_required: false, name: 'An album', image_count: 1 },
    ]);
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^pixdock_unlock_album_\w+=[^;]+; Max-Age=86400; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    expect(await keysOf(`${id}/images`, { cookie: pairOf(response) })).toEqual([key]);
    expect(await dataOf(await get(id, { cookie: pairOf(response) }))).toMatchObject({ name: 'An album' });
  });

  it('does not open other albums or protected pictures with its password, and locks when that changes', async () => {
    const [id, other] = [await create(PASSWORD), await create(PASSWORD)];
    const locked = await sharing.upload({ album_id: id, ...PASSWORD });
    const cookie = pairOf(await unlock(id, 'open sesame'));
    const forged = cookie.replace(id, other);
    expect((await get(`${other}/images`, { cookie })).status).toBe(401);
    expect((await get(`${other}/images`, { cookie: forged })).status).toBe(401);
    expect(await keysOf(`${id}/images`, { cookie })).toEqual([]);
    expect((await fetch(locked.links.url, { headers: { cookie } })).status).toBe(401);
    await sendJson(`${sharing.url}/api/v1/albums/${id}`, 'PATCH', { access_password: 'open sesame' }, { cookie: sharing.bea.cookie });
    expect((await get(`${id}/images`, { cookie })).status).toBe(401);
  });

  it('stays locked for a wrong password, and for any password after ten wrong ones', async () => {
    const id = await create(PASSWORD);
    const wrong = await unlock(id, 'guess');
    expect([wrong.status, (await dataOf(wrong)).code, wrong.headers.get('set-cookie')]).toEqual([401, 'wrong_password', null]);
    for (let index = 1; index < 10; index++) expect((await unlock(id, 'guess')).status).toBe(401);
    const refused = await unlock(id, 'open sesame');
    expect([refused.status, (await dataOf(refused)).code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('its page', () => {
  const tagsOf = async (response: Response) =>
    Object.fromEntries(
      [...(await response.text()).matchAll(/<meta (?:property|name)="([^"]*)" content="([^"]*)">/g)].map(([, name, content]) => [
        name,
        content,
      ]),
    );

  it('describes a public album to chat programs with a picture that everyone can see', async () => {
    const id = await create({ name: 'Sea & "sand"', description: '<b>waves</b>' });
    const { links } = await sharing.upload({ album_id: id });
    await sharing.upload({ album_id: id, visibility: 'private' });
    const response = await fetch(`${sharing.url}/a/${id}`);
    expect([response.status, response.headers.get('x-robots-tag')]).toEqual([200, 'noindex']);
    expect(await tagsOf(response)).toEqual({
      robots: 'noindex',
      'og:type': 'website',
      'og:site_name': 'Pixdock',
      'og:title': 'Sea &amp; &quot;sand&quot;',
      'og:url': `${sharing.url}/a/${id}`,
      'og:description': '&lt;b&gt;waves&lt;/b&gt;',
      'og:image': `${links.thumbnail_url}?w=960`,
      'og:image:type': 'image/jpeg',
      'og:image:width': '80',
      'og:image:height': '60',
      'twitter:title': 'Sea &amp; &quot;sand&quot;',
      'twitter:description': '&lt;b&gt;waves&lt;/b&gt;',
      'twitter:card': 'summary_large_image',
      'twitter:image': `${links.thumbnail_url}?w=960`,
    });
  });

  it('reveals nothing about a private or protected one to anyone', async () => {
    for (const [body, strangers] of [
      [PASSWORD, 200],
      [{ visibility: 'private' }, 404],
    ] as const) {
      const id = await create(body);
      const [guest, owner] = [
        await fetch(`${sharing.url}/a/${id}`),
        await fetch(`${sharing.url}/a/${id}`, { headers: { cookie: sharing.bea.cookie } }),
      ];
      expect([guest.status, await tagsOf(guest)]).toEqual([strangers, { robots: 'noindex' }]);
      expect([owner.status, await tagsOf(owner)]).toEqual([200, { robots: 'noindex' }]);
    }
  });
});

describe('an album whose link ends', () => {
  const change = (id: string, body: object, headers: Record<string, string> = { cookie: sharing.bea.cookie }) =>
    sendJson(`${sharing.url}/api/v1/albums/${id}`, 'PATCH', body, headers);
  /** Makes the album's link expire. */
  const end = (id: string) =>
    withDatabase(sharing.service, (db) =>
      db.as('job').write((queries) =>
        queries
          .updateTable('albums')
          .set({ expires_at: Date.now() - 1000 })
          .where('id', '=', id)
          .execute(),
      ),
    );

  it('is open until then, and afterwards gone for everyone but its owner and admins, in every way to see it', async () => {
    const id = await create({ expires_in: 3600, access_password: 'open sesame' });
    const image = await sharing.upload({ album_id: id });
    const cookie = pairOf(await unlock(id, 'open sesame'));
    expect((await dataOf(await get(id, { cookie }))).expires_at).toEqual(expect.any(String));
    await end(id);
    const embed = `${sharing.url}/oembed?url=${encodeURIComponent(`${sharing.url}/a/${id}`)}`;
    const ways = [`/api/v1/a/${id}`, `/api/v1/a/${id}/images`, `/api/v1/a/${id}/download`, `/a/${id}`];
    for (const headers of [...Object.values(sharing.strangers), { cookie }])
      for (const way of ways) expect([way, (await fetch(sharing.url + way, { headers })).status]).toEqual([way, 410]);
    const refused = await get(id);
    expect(await refused.json()).toMatchObject({ message: expect.stringMatching(/link has expired\. Ask/), data: { code: 'expired' } });
    expect((await unlock(id, 'open sesame')).status).toBe(410);
    expect((await fetch(embed)).status).toBe(410);
    for (const headers of [...Object.values(sharing.owners), { cookie: sharing.admin.cookie }])
      for (const way of ways) expect([way, (await fetch(sharing.url + way, { headers })).status]).toEqual([way, 200]);
    // The link of a picture is a promise of its own.
    expect((await fetch(image.links.url)).status).toBe(200);
  });

  it('names nothing to those who store previews, no matter who asks', async () => {
    const id = await create({ name: 'Secret garden' });
    await end(id);
    const page = await (await fetch(`${sharing.url}/a/${id}`, { headers: { cookie: sharing.bea.cookie } })).text();
    expect(page).not.toContain('Secret garden');
  });

  it('is renewed by its owner alone', async () => {
    const id = await create({ expires_in: 3600 });
    await end(id);
    for (const [name, headers] of Object.entries(sharing.strangers))
      expect([name, [401, 403, 404].includes((await change(id, { expires_in: 0 }, headers)).status)]).toEqual([name, true]);
    expect((await get(id)).status).toBe(410);
    const time = new Date(Date.now() + 60_000).toISOString();
    expect(await dataOf(await change(id, { expires_at: time }))).toMatchObject({ expires_at: time });
    expect((await get(id)).status).toBe(200);
    expect(await dataOf(await change(id, { name: 'Renamed' }))).toMatchObject({ expires_at: time });
    expect(await dataOf(await change(id, { expires_in: 0 }))).toMatchObject({ expires_at: null });
  });

  it('refuses a time that is past or named twice, and stays private when it is', async () => {
    const id = await create({});
    for (const body of [{ expires_at: '2020-01-01T00:00:00Z' }, { expires_at: new Date(Date.now() + 1e6).toISOString(), expires_in: 5 }]) {
      const refused = await change(id, body);
      expect([refused.status, (await dataOf(refused)).field]).toEqual([400, 'expires_at']);
    }
    await change(id, { visibility: 'private' });
    await end(id);
    expect((await get(id)).status).toBe(404);
  });
});

describe('the random picture of an album', () => {
  const random = (id: string, headers: Record<string, string> = {}) =>
    fetch(`${sharing.url}/a/${id}/random`, { headers, redirect: 'manual' });

  it('is any that this visitor can open, chosen again each time', async () => {
    const id = await create({});
    const open = [await sharing.upload({ album_id: id }), await sharing.upload({ album_id: id })];
    const own = await sharing.upload({ album_id: id, visibility: 'private' });
    await sharing.upload({ album_id: id, max_views: '1' });
    const seen = new Set<string>();
    for (let count = 0; count < 40; count += 1) {
      const response = await random(id);
      expect([response.status, response.headers.get('cache-control')]).toEqual([302, 'no-store']);
      seen.add(response.headers.get('location') ?? '');
    }
    expect([...seen].sort()).toEqual(open.map(({ links }) => new URL(links.url).pathname).sort());
    const owners = new Set<string>();
    for (let count = 0; count < 60; count += 1)
      owners.add((await random(id, { cookie: sharing.bea.cookie })).headers.get('location') ?? '');
    expect(owners.has(new URL(own.links.url).pathname)).toBe(true);
  });

  it('isn’t there in an album that is empty, private, locked or unknown', async () => {
    const statusOf = async (id: string, headers = {}) => (await random(id, headers)).status;
    expect(await statusOf(await create({}))).toBe(404);
    const id = await create({ visibility: 'private' });
    await sharing.upload({ album_id: id });
    expect(await statusOf(id)).toBe(404);
    expect(await statusOf('abcdefghij')).toBe(404);
    const locked = await create(PASSWORD);
    await sharing.upload({ album_id: locked });
    expect(await statusOf(locked)).toBe(401);
    expect(await statusOf(locked, { cookie: pairOf(await unlock(locked, 'open sesame')) })).toBe(302);
    expect((await fetch(`${sharing.url}/a/${locked}/random`, { method: 'POST' })).status).toBe(405);
  });
});
