import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Uploaded } from '#api/images/upload.ts';
import { dataOf, type Sharing, sendJson, startSharing } from '#test/helpers/service/sharing.ts';

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

let sharing: Sharing;
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
      expect([name, page.status, page.headers.get('content-type')]).toEqual([name, STATES[state].page[column], 'text/html; charset=utf-8']);
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
