import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION_LENGTH } from '#api/constants.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { dataOf, type Sharing, sendJson, startSharing } from '#test/helpers/service/sharing.ts';

let sharing: Sharing;
let image: Uploaded;
let bytes: Buffer;
let address: string;
beforeAll(async () => {
  sharing = await startSharing();
  image = await sharing.upload();
  address = `${sharing.url}/i/${image.key}.jpg`;
  bytes = await contentOf(fetch(address));
});
afterAll(() => sharing[Symbol.asyncDispose]());

const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(address, { headers, method });

describe('a public original', () => {
  it('has the headers that caches and browsers need, and cannot run scripts', async () => {
    const response = await get();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(image.size),
      etag: `"${image.sha256}"`,
      'last-modified': new Date(image.created_at).toUTCString(),
      'cache-control': 'public, max-age=0, must-revalidate',
      'accept-ranges': 'bytes',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('strict-transport-security')).toBeNull();
    expect((await contentOf(response)).length).toBe(image.size);
  });

  it('responds to HEAD with the same headers and no body, even with a range', async () => {
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const head = await get(headers as Record<string, string>, 'HEAD');
      expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
        200,
        String(image.size),
        `"${image.sha256}"`,
      ]);
      expect((await contentOf(head)).length).toBe(0);
    }
  });

  it('is 304 for a client that has it, whatever its cache directives', async () => {
    const tag = `"${image.sha256}"`;
    const later = new Date(Date.parse(image.created_at) + 60_000).toUTCString();
    for (const headers of [
      { 'if-none-match': tag },
      { 'if-none-match': `"other", W/${tag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': later },
      { 'if-none-match': tag, 'cache-control': 'no-cache' },
    ] as Record<string, string>[]) {
      const response = await get(headers);
      expect([headers, response.status, response.headers.get('etag')]).toEqual([headers, 304, tag]);
      expect((await contentOf(response)).length).toBe(0);
    }
    const earlier = new Date(Date.parse(image.created_at) - 60_000).toUTCString();
    for (const headers of [
      { 'if-none-match': '"other"' },
      { 'if-modified-since': earlier },
      { 'if-none-match': '"other"', 'if-modified-since': later },
      { 'if-modified-since': 'yesterday' },
    ] as Record<string, string>[])
      expect([headers, (await get(headers)).status]).toEqual([headers, 200]);
  });

  it('is 412 for a client that requires another version', async () => {
    const tag = `"${image.sha256}"`;
    const before = new Date(Date.parse(image.created_at) - 60_000).toUTCString();
    const after = new Date(Date.parse(image.created_at) + 60_000).toUTCString();
    for (const [headers, status] of [
      [{ 'if-match': '"other"' }, 412],
      [{ 'if-match': `W/${tag}` }, 412],
      [{ 'if-unmodified-since': before }, 412],
      [{ 'if-match': `"other", ${tag}` }, 200],
      [{ 'if-match': '*' }, 200],
      [{ 'if-match': tag, 'if-unmodified-since': before }, 200],
      [{ 'if-unmodified-since': after }, 200],
      [{ 'if-unmodified-since': 'yesterday' }, 200],
    ] as [Record<string, string>, number][])
      for (const method of ['GET', 'HEAD'])
        expect([headers, method, (await get(headers, method)).status]).toEqual([headers, method, status]);
  });

  it('supports single ranges, ignores other kinds, and refuses one outside the file', async () => {
    const { size } = image;
    for (const [range, start, end] of [
      ['bytes=0-9', 0, 9],
      ['bytes=10-', 10, size - 1],
      ['bytes=-7', size - 7, size - 1],
      [`bytes=5-${size + 100}`, 5, size - 1],
      ['bytes=0-4, 5-9', 0, 9],
    ] as const) {
      const part = await get({ range });
      expect([range, part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
        range,
        206,
        `bytes ${start}-${end}/${size}`,
        String(end - start + 1),
      ]);
      expect((await contentOf(part)).equals(bytes.subarray(start, end + 1))).toBe(true);
    }
    for (const range of ['bytes=0-1, 100-200', 'pages=1-2', 'bytes=a-b']) {
      const whole = await get({ range });
      expect([range, whole.status, (await contentOf(whole)).equals(bytes)]).toEqual([range, 200, true]);
    }
    for (const range of [`bytes=${size}-`, 'bytes=9-0']) {
      const outside = await get({ range });
      expect([range, outside.status, outside.headers.get('content-range'), outside.headers.get('content-length')]).toEqual([
        range,
        416,
        `bytes */${size}`,
        '0',
      ]);
    }
  });

  it('continues a broken download only with the same bytes', async () => {
    const range = 'bytes=10-';
    for (const condition of [`"${image.sha256}"`, new Date(image.created_at).toUTCString()])
      expect((await get({ range, 'if-range': condition })).status).toBe(206);
    for (const condition of ['"other"', `W/"${image.sha256}"`, new Date(0).toUTCString()])
      expect((await get({ range, 'if-range': condition })).status).toBe(200);
  });

  it('refuses writes and lists the allowed methods', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const refused = await get({}, method);
      expect([method, refused.status, refused.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
    }
  });
});

describe('its name', () => {
  const dispositionOf = async (name: string, query = '') => {
    const { key } = await sharing.upload({}, name);
    return (await fetch(`${sharing.url}/i/${key}.jpg${query}`)).headers.get('content-disposition');
  };

  it('supports any script, with the extension of the served format, inline or as a download', async () => {
    expect(await dispositionOf('photo.jpeg')).toBe('inline; filename=photo.jpg');
    expect(await dispositionOf('photo.png', '?download=1')).toBe('attachment; filename=photo.jpg');
    expect(await dispositionOf('Küche 厨房.jpg')).toBe(
      `inline; filename="K?che ??.jpg"; filename*=UTF-8''K%C3%BCche%20%E5%8E%A8%E6%88%BF.jpg`,
    );
  });

  it('cannot break out of its header', async () => {
    const disposition = await dispositionOf('a"; filename=evil.exe; \r\nSet-Cookie: x=y.jpg', '?download=1');
    expect(disposition).toMatch(/^attachment; filename="a\\"; filename=evil\.exe; Set-Cookie: x=y\.jpg"$/);
  });
});

describe('its caching', () => {
  const cacheControlOf = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const { key } = await sharing.upload(fields);
    return Promise.all(
      [`/i/${key}.jpg`, `/t/${key}.jpg`].map(async (path) => (await fetch(sharing.url + path, { headers })).headers.get('cache-control')),
    );
  };

  it('ends with the picture', async () => {
    const { key, sha256 } = await sharing.upload({ expires_in: '100' });
    // Only addresses that name the version of the file are cached at all, unless the policy asks for it.
    for (const path of [`/i/${key}.jpg`, `/t/${key}.jpg`]) {
      const control = (await fetch(`${sharing.url}${path}?v=${sha256.slice(0, VERSION_LENGTH)}`)).headers.get('cache-control');
      const [, seconds] = /^public, max-age=(\d+)$/.exec(control ?? '') ?? [];
      expect(Number(seconds)).toBeGreaterThan(80);
      expect(Number(seconds)).toBeLessThanOrEqual(100);
    }
  });

  it('is off for private, password-protected and view-limited pictures, for every viewer', async () => {
    const { cookie } = sharing.bea;
    const never = ['private, no-store', 'private, no-store'];
    expect(await cacheControlOf({ visibility: 'private' }, { cookie })).toEqual(never);
    expect(await cacheControlOf({ max_views: '9' }, { cookie })).toEqual(never);
    expect(await cacheControlOf({ access_password: 'sesame' }, { 'x-image-password': 'sesame' })).toEqual(never);
  });

  it('is off for refusals', async () => {
    const gone = await fetch(`${sharing.url}/i/AAAAAAAAAAAA.jpg`);
    expect([gone.status, gone.headers.get('cache-control'), gone.headers.get('etag')]).toEqual([404, 'no-store', null]);
    expect(await dataOf(gone)).toEqual({ code: 'not_found', retry: 'never' });
  });
});

it('reveals nothing of a view-limited picture that is not worth a view', async () => {
  const { key, sha256 } = await sharing.upload({ max_views: '2' });
  const send = (method: string, headers: Record<string, string> = {}) => fetch(`${sharing.url}/i/${key}.jpg`, { method, headers });
  for (const who of [{}, { cookie: sharing.cleo.cookie }, { cookie: sharing.bea.cookie }] as Record<string, string>[]) {
    const head = await send('HEAD', who);
    expect([head.status, head.headers.get('etag')]).toEqual([200, null]);
    for (const [, value] of head.headers) expect(value).not.toContain(sha256.slice(0, 8));
    // Whether a guess at its hash is right doesn't show either.
    for (const tag of [`"${sha256}"`, `"${'0'.repeat(64)}"`]) {
      expect((await send('HEAD', { ...who, 'if-match': tag })).status).toBe(412);
      expect((await send('HEAD', { ...who, 'if-none-match': tag })).status).toBe(200);
    }
  }
  const sent = [await send('GET'), await send('GET'), await send('GET')];
  expect(sent.map(({ status, headers }) => [status, headers.get('etag')])).toEqual([
    [200, null],
    [200, null],
    [410, null],
  ]);
});

it('keeps a picture from caches soon after its owner makes it private', async () => {
  const { key } = await sharing.upload();
  const path = `/i/${key}.jpg`;
  expect((await fetch(sharing.url + path)).status).toBe(200);
  const changed = await sharing.bea.fetch(`/api/v1/images/${key}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ visibility: 'private' }),
  });
  expect(changed.status).toBe(200);
  expect((await fetch(sharing.url + path)).status).toBe(404);
  expect((await sharing.bea.fetch(path)).status).toBe(200);
});

describe('table', () => {
  const PASSWORD = { access_password: 'open sesame' };
  const LIMIT = { max_views: '100' };
  const PRIVATE = { visibility: 'private' };

  /** How a picture enters each state, and the response of each route to guests, its owner, and an admin. */
  const STATES = {
    public: { fields: {}, i: [200, 200, 200], t: [200, 200, 200], page: [200, 200, 200], share: ['open', 'open', 'open'] },
    'in the trash': { fields: {}, trash: true, i: [404, 404, 404], t: [404, 404, 404], page: [404, 404, 404], share: [404, 404, 404] },
    private: { fields: PRIVATE, i: [404, 200, 200], t: [404, 200, 200], page: [404, 200, 200], share: [404, 'open', 'open'] },
    'private with a password': {
      fields: { ...PRIVATE, ...PASSWORD },
      i: [404, 200, 200],
      t: [404, 200, 200],
      page: [404, 200, 200],
      share: [404, 'open', 'open'],
    },
    expired: {
      fields: {},
      columns: { expires_at: 1 },
      i: [410, 410, 410],
      t: [410, 410, 410],
      page: [410, 410, 410],
      share: [410, 410, 410],
    },
    'expired and in the trash': {
      fields: {},
      columns: { expires_at: 1, deleted_at: 2, trash_reason: 'expired' },
      i: [410, 410, 410],
      t: [410, 410, 410],
      page: [410, 410, 410],
      share: [410, 410, 410],
    },
    'private, expired and in the trash': {
      fields: PRIVATE,
      columns: { expires_at: 1, deleted_at: 2, trash_reason: 'expired' },
      i: [404, 410, 410],
      t: [404, 410, 410],
      page: [404, 410, 410],
      share: [404, 410, 410],
    },
    'expired and emptied': {
      fields: {},
      columns: { expires_at: 1, emptied_at: Date.now() },
      i: [410, 410, 410],
      t: [410, 410, 410],
      page: [410, 410, 410],
      share: [410, 410, 410],
    },
    'private and expired': {
      fields: PRIVATE,
      columns: { expires_at: 1 },
      i: [404, 410, 410],
      t: [404, 410, 410],
      page: [404, 410, 410],
      share: [404, 410, 410],
    },
    'expired with a password': {
      fields: PASSWORD,
      columns: { expires_at: 1 },
      i: [410, 410, 410],
      t: [410, 410, 410],
      page: [410, 410, 410],
      share: [410, 410, 410],
    },
    locked: { fields: PASSWORD, i: [401, 200, 200], t: [401, 200, 200], page: [200, 200, 200], share: ['locked', 'open', 'open'] },
    'view-limited': { fields: LIMIT, i: [200, 200, 200], t: [403, 200, 200], page: [200, 200, 200], share: ['open', 'open', 'open'] },
    'used up': {
      fields: LIMIT,
      columns: { limited_views: 100 },
      i: [410, 200, 410],
      t: [410, 200, 410],
      page: [410, 200, 410],
      share: [410, 'open', 410],
    },
    'locked and used up': {
      fields: { ...LIMIT, ...PASSWORD },
      columns: { limited_views: 100 },
      i: [401, 200, 410],
      t: [401, 200, 410],
      page: [200, 200, 410],
      share: ['locked', 'open', 410],
    },
  } as const;
  type State = keyof typeof STATES;
  const CODES: Record<number, string> = { 401: 'password_required', 404: 'not_found' };
  let album: string;
  const images = new Map<State, Uploaded>();
  const of = (state: State) => images.get(state) as Uploaded;

  beforeAll(async () => {
    sharing = await startSharing();
    const { bea, upload, alter, url } = sharing;
    const created = await sendJson(`${url}/api/v1/albums`, 'POST', { name: 'All states', visibility: 'public' }, { cookie: bea.cookie });
    album = String((await dataOf(created)).id);
    for (const [state, plan] of Object.entries(STATES)) {
      const image = await upload({ ...plan.fields, album_id: album });
      images.set(state as State, image);
      if ('columns' in plan) await alter(image.key, plan.columns);
      if ('trash' in plan) await bea.fetch(`/api/v1/images/${image.key}`, { method: 'DELETE' });
    }
  });
  afterAll(() => sharing[Symbol.asyncDispose]());

  /** Each viewer with their column of the table. */
  function viewers(): [name: string, headers: Record<string, string>, column: 0 | 1 | 2][] {
    const { strangers, owners, admin } = sharing;
    return [
      ...Object.entries(strangers).map(([name, headers]) => [name, headers, 0] as [string, Record<string, string>, 0]),
      ...Object.entries(owners).map(([name, headers]) => [name, headers, 1] as [string, Record<string, string>, 1]),
      ['an admin', { cookie: admin.cookie }, 2],
    ];
  }

  describe.each(Object.keys(STATES) as State[])('a picture that is %s', (state) => {
    it('responds at /i and /t as in the table, and never to a wrong extension', async () => {
      const { key } = of(state);
      for (const [name, headers, column] of viewers()) {
        const [original, thumbnail, wrong] = await Promise.all(
          [`/i/${key}.jpg`, `/t/${key}.jpg`, `/i/${key}.png`].map((path) => fetch(sharing.url + path, { headers })),
        );
        expect([name, original?.status, thumbnail?.status, wrong?.status]).toEqual([
          name,
          STATES[state].i[column],
          STATES[state].t[column],
          404,
        ]);
        for (const response of [original, thumbnail]) {
          if (!response || response.status === 200) continue;
          const { code } = await dataOf(response);
          expect(response.headers.get('cache-control')).toBe('no-store');
          if (CODES[response.status]) expect([name, code]).toEqual([name, CODES[response.status]]);
        }
      }
    });

    it('responds at /s and /api/v1/s as in the table', async () => {
      const { key } = of(state);
      for (const [name, headers, column] of viewers()) {
        const page = await fetch(`${sharing.url}/s/${key}`, { headers });
        expect([name, page.status, page.headers.get('content-type')]).toEqual([
          name,
          STATES[state].page[column],
          'text/html; charset=utf-8',
        ]);
        const share = await fetch(`${sharing.url}/api/v1/s/${key}`, { headers });
        const data = await dataOf(share);
        const expected = STATES[state].share[column];
        if (expected === 'locked') expect([name, share.status, data]).toEqual([name, 200, { key, password_required: true }]);
        else if (expected === 'open') expect([name, share.status, data]).toMatchObject([name, 200, { key, password_required: false }]);
        else expect([name, share.status]).toEqual([name, expected]);
      }
    });
  });

  it('appears in a public album only for viewers who can open it directly, and never when view-limited', async () => {
    for (const [name, headers, column] of viewers()) {
      const listed = await fetch(`${sharing.url}/api/v1/a/${album}/images`, { headers });
      const keys = ((await dataOf(listed)).items as { key: string }[]).map(({ key }) => key).sort();
      const open: State[] = column === 0 ? ['public'] : ['public', 'private', 'private with a password', 'locked'];
      expect([name, keys]).toEqual([name, open.map((state) => of(state).key).sort()]);
      const metadata = await dataOf(await fetch(`${sharing.url}/api/v1/a/${album}`, { headers }));
      expect([name, metadata.image_count]).toEqual([name, open.length]);
    }
  });

  it('distinguishes expired from deleted pictures by code', async () => {
    const code = async (state: State) => (await dataOf(await fetch(`${sharing.url}/i/${of(state).key}.jpg`))).code;
    expect(await code('expired')).toBe('expired');
    expect(await code('used up')).toBe('view_limit_reached');
  });

  it('is not found by an unknown or malformed key', async () => {
    for (const key of ['AAAAAAAAAAAA', 'short', 'toolongtobeakey', '..%2f..%2fetc', '%00']) {
      for (const path of [`/i/${key}.jpg`, `/t/${key}.jpg`, `/s/${key}`, `/api/v1/s/${key}`, `/a/${key}`, `/api/v1/a/${key}`])
        expect([path, (await fetch(sharing.url + path)).status]).toEqual([path, 404]);
    }
  });
});
