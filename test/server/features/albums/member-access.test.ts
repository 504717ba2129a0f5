import { afterAll, beforeAll, expect, it } from 'vitest';
import { SENDER_HEADER, WEBHOOK_EVENTS } from '#api/constants.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { giveText } from '#test/helpers/service/data/texts.ts';
import { type AddedUser, addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { sendThrough } from '#test/helpers/service/requests.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { dataOf, type Sharing, sendJson, startSharing } from '#test/helpers/service/sharing.ts';

/**
 * Who may do what with an album that is private, protected and shared: every operation, by everyone. With PIXDOCK_TEST_MATRIX=1 and
 * `--silent=false`, the table is printed.
 */
const ROLES = [
  'owner',
  'manager',
  'contributor',
  'viewer',
  'former member',
  'other user',
  'guest',
  "manager's upload token",
  'sender',
  'other sender',
] as const;
type Role = (typeof ROLES)[number];

/** Names that nobody may learn who doesn't take part in the album. */
const SECRETS = ['Secret regatta', 'told only to members', 'of-bea', 'of-cora', 'of-mara', 'of-sender', 'username":"'];
/** What no response about another's picture contains, no matter who asks. */
const NEVER = /delete_url|"tags"|"views"|sha256|private-tag/;
/** The text in pictures, which only its own operations may return. */
const TEXT = /inked-/;

let sharing: Sharing;
let album: string;
/** A request link of the owner's, and the file that `sender` has sent through it. */
let link: string;
let sentFile: string;
const users = {} as Record<'mara' | 'cora' | 'vera' | 'fred' | 'dora', AddedUser>;
const headers = {} as Record<Role, Record<string, string>>;
const pictures = {} as Record<
  'bea' | 'open' | 'protected' | 'limited' | 'expired' | 'trashed' | 'cora' | 'coraProtected' | 'coraLimited' | 'mara' | 'fred',
  Uploaded
>;
let seed = 0;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const call = (role: Role, method: string, path: string, body?: unknown) =>
  body === undefined
    ? fetch(`${sharing.url}${path}`, { method, headers: headers[role], redirect: 'manual' })
    : sendJson(`${sharing.url}${path}`, method, body, headers[role]);
const asOwner = async (method: string, path: string, body?: unknown) => {
  const response = await call('owner', method, path, body);
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return dataOf(response);
};
const share = (username: string, role: string) => asOwner('PUT', `/api/v1/albums/${album}/members`, { username, role });

async function add(user: AddedUser, name: string, fields: Record<string, string> = {}): Promise<Uploaded> {
  const bytes = await photoJpeg({ seed: ++seed, width: 60, height: 40 });
  return uploadImage(sharing.service, await user.token('full'), bytes, {
    visibility: 'private',
    tags: 'private-tag',
    album_id: album,
    name: `${name}.jpg`,
    ...fields,
  });
}

beforeAll(async () => {
  sharing = await startSharing();
  const { bea, cleo, service } = sharing;
  for (const name of ['mara', 'cora', 'vera', 'fred', 'dora'] as const) users[name] = await addUser(service, name);
  headers.owner = { cookie: bea.cookie };
  headers.manager = { cookie: users.mara.cookie };
  headers.contributor = bearer(await users.cora.token('full'));
  headers.viewer = { cookie: users.vera.cookie };
  headers['former member'] = { cookie: users.fred.cookie };
  headers['other user'] = { cookie: cleo.cookie };
  headers.guest = {};
  headers["manager's upload token"] = bearer(await users.mara.token('upload'));
  const settings = { name: 'Secret regatta', description: 'told only to members', access_password: 'sesame' };
  album = String((await asOwner('POST', '/api/v1/albums', settings)).id);
  for (const [name, role] of Object.entries({ mara: 'manager', cora: 'contributor', vera: 'viewer', fred: 'manager' }))
    await share(name, role);
  const limit = { max_views: '5' };
  const locked = { access_password: 'open sesame' };
  pictures.bea = await add(bea, 'of-bea');
  pictures.open = await add(bea, 'of-bea-open', { visibility: 'public' });
  pictures.protected = await add(bea, 'of-bea-protected', locked);
  pictures.limited = await add(bea, 'of-bea-limited', limit);
  pictures.expired = await add(bea, 'of-bea-expired', { expires_in: '3600' });
  pictures.trashed = await add(bea, 'of-bea-trashed');
  pictures.cora = await add(users.cora, 'of-cora');
  pictures.coraProtected = await add(users.cora, 'of-cora-protected', locked);
  pictures.coraLimited = await add(users.cora, 'of-cora-limited', limit);
  pictures.mara = await add(users.mara, 'of-mara');
  pictures.fred = await add(users.fred, 'of-fred');
  link = String((await asOwner('POST', path('/requests'), { title: 'Party', show: 'own' })).id);
  headers.sender = { [SENDER_HEADER]: 'a-sender-of-pictures' };
  headers['other sender'] = { [SENDER_HEADER]: 'another-sender-of-pictures' };
  const sent = { headers: headers.sender, name: 'of-sender.jpg', fields: { from: 'Ann' } };
  const { data } = await sendThrough(sharing.url, link, await photoJpeg({ seed: ++seed, width: 60, height: 40 }), sent);
  sentFile = new URL(String(data.remove_url)).pathname.split('/').at(-1) ?? '';
  for (const [name, { key }] of Object.entries(pictures))
    await withDatabase(service, async (db) => expect(await giveText(db, key, `inked-${name}`)).toBe(true));
  await sharing.alter(pictures.expired.key, { expires_at: 1 });
  await bea.fetch(`/api/v1/images/${pictures.trashed.key}`, { method: 'DELETE' });
  await asOwner('DELETE', `/api/v1/albums/${album}/members/${users.fred.id}`);
});
afterAll(() => sharing[Symbol.asyncDispose]());

/**
 * An operation: the status for each of {@link ROLES}, and what precedes each request. Where no status is given for senders, they are guests:
 * what they hold opens nothing but what they sent.
 */
interface Operation {
  name: string;
  statuses: readonly number[];
  run(role: Role): Promise<Response>;
  before?(role: Role): Promise<unknown>;
}

const path = (rest = '') => `/api/v1/albums/${album}${rest}`;
const image = (name: keyof typeof pictures) => pictures[name].key;
const text = (name: keyof typeof pictures) => `/api/v1/images/${image(name)}/text`;
const direct = (name: keyof typeof pictures) => new URL(pictures[name].links.url).pathname;
const putBack = (name: keyof typeof pictures, user: AddedUser) =>
  user.fetch(path('/images'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ keys: [image(name)] }),
  });
/** The statuses for an operation that all members may do, and for those that some of them may. */
const READ = [200, 200, 200, 200, 404, 404, 401, 403];
const OUTSIDE = READ.slice(4);
const BY_CONTRIBUTORS = [200, 200, 200, 403, ...OUTSIDE];
const BY_MANAGERS = [200, 200, 403, 403, ...OUTSIDE];
const BY_OWNER = [200, 403, 403, 403, ...OUTSIDE];
const OPEN = [200, 200, 200, 200, 404, 404, 404, 404];

const OPERATIONS: Operation[] = [
  { name: 'read the album', statuses: READ, run: (role) => call(role, 'GET', path()) },
  { name: 'list its pictures', statuses: READ, run: (role) => call(role, 'GET', path('/images?limit=200')) },
  { name: 'search its pictures', statuses: READ, run: (role) => call(role, 'GET', path('/images?q=of-&sort=name_asc')) },
  { name: 'search its text', statuses: READ, run: (role) => call(role, 'GET', path('/images?q=inked-')) },
  { name: 'read the text of a private picture', statuses: READ, run: (role) => call(role, 'GET', text('bea')) },
  { name: 'read the text of another’s picture', statuses: READ, run: (role) => call(role, 'GET', text('cora')) },
  { name: 'read the text of a public picture', statuses: READ, run: (role) => call(role, 'GET', text('open')) },
  {
    name: 'read the text of a protected picture',
    statuses: [401, 401, 200, 401, ...OUTSIDE],
    run: (role) => call(role, 'GET', text('coraProtected')),
  },
  {
    name: 'read the text of a limited picture',
    statuses: [403, 403, 200, 403, ...OUTSIDE],
    run: (role) => call(role, 'GET', text('coraLimited')),
  },
  {
    name: 'read the text of an expired picture',
    statuses: [410, 410, 410, 410, ...OUTSIDE],
    run: (role) => call(role, 'GET', text('expired')),
  },
  {
    name: 'read the text of a picture in the trash',
    statuses: [404, 404, 404, 404, ...OUTSIDE],
    run: (role) => call(role, 'GET', text('trashed')),
  },
  {
    name: 'read the text of a former member’s picture',
    statuses: [404, 404, 404, 404, 200, 404, 401, 403],
    run: (role) => call(role, 'GET', text('fred')),
  },
  {
    name: 'remove the text of another’s picture',
    statuses: [404, 404, 404, 404, ...OUTSIDE],
    run: (role) => call(role, 'DELETE', text('mara').replace(image('mara'), role === 'manager' ? image('bea') : image('mara'))),
  },
  { name: 'list its members', statuses: READ, run: (role) => call(role, 'GET', path('/members')) },
  { name: 'count hidden pictures', statuses: BY_OWNER, run: (role) => call(role, 'GET', path('/hidden')) },
  { name: 'change its texts', statuses: BY_MANAGERS, run: (role) => call(role, 'PATCH', path(), { description: 'told only to members' }) },
  {
    name: 'change its cover',
    statuses: BY_MANAGERS,
    run: (role) => call(role, 'PATCH', path(), { cover_key: image('cora') }),
  },
  { name: 'change its visibility', statuses: BY_OWNER, run: (role) => call(role, 'PATCH', path(), { visibility: 'private' }) },
  { name: 'change its password', statuses: BY_OWNER, run: (role) => call(role, 'PATCH', path(), { access_password: 'sesame' }) },
  {
    name: 'change downloads',
    statuses: BY_OWNER,
    run: (role) => call(role, 'PATCH', path(), { name: 'Secret regatta', allow_download: true }),
  },
  { name: 'change its expiry', statuses: BY_OWNER, run: (role) => call(role, 'PATCH', path(), { expires_in: 0 }) },
  {
    name: 'sort its pictures',
    statuses: BY_MANAGERS,
    run: (role) => call(role, 'POST', path('/images/order'), { keys: [image('mara')], before: image('bea') }),
  },
  { name: 'sort by upload again', statuses: BY_MANAGERS, run: (role) => call(role, 'PATCH', path(), { sorted: false }) },
  {
    name: 'add a viewer',
    statuses: BY_MANAGERS,
    run: (role) => call(role, 'PUT', path('/members'), { username: 'dora', role: 'viewer' }),
  },
  {
    name: 'add a manager',
    statuses: BY_OWNER,
    run: (role) => call(role, 'PUT', path('/members'), { username: 'dora', role: 'manager' }),
  },
  {
    name: 'change a manager’s role',
    statuses: BY_OWNER,
    before: () => share('mara', 'manager'),
    run: (role) => call(role, 'PUT', path('/members'), { username: 'mara', role: 'manager' }),
  },
  {
    name: 'name an unknown user',
    statuses: [404, 404, 403, 403, ...OUTSIDE],
    run: (role) => call(role, 'PUT', path('/members'), { username: 'nobody', role: 'viewer' }),
  },
  {
    name: 'remove a viewer',
    statuses: BY_MANAGERS,
    before: () => share('dora', 'viewer'),
    run: (role) => call(role, 'DELETE', path(`/members/${users.dora.id}`)),
  },
  {
    name: 'remove a manager',
    statuses: BY_OWNER,
    before: () => share('dora', 'manager'),
    run: (role) => call(role, 'DELETE', path(`/members/${users.dora.id}`)),
  },
  {
    name: 'remove the owner',
    statuses: [404, 404, 403, 403, ...OUTSIDE],
    run: (role) => call(role, 'DELETE', path(`/members/${sharing.bea.id}`)),
  },
  {
    name: 'add pictures',
    statuses: BY_CONTRIBUTORS,
    run: (role) => call(role, 'POST', path('/images'), { query: { type: 'png' } }),
  },
  {
    name: 'add another’s picture',
    statuses: BY_CONTRIBUTORS,
    run: (role) => call(role, 'POST', path('/images'), { keys: [image('fred')] }),
  },
  {
    name: 'remove another’s picture',
    statuses: READ,
    before: () => putBack('cora', users.cora),
    run: (role) => call(role, 'POST', path('/images/remove'), { keys: [image('cora')] }),
  },
  {
    name: 'upload into it',
    statuses: [200, 200, 200, 400, 400, 400, 403, 200],
    run: async (role) => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(await photoJpeg({ seed: ++seed, width: 30, height: 20 }))]), 'new.jpg');
      form.append('album_id', album);
      form.append('visibility', 'private');
      return fetch(`${sharing.url}/api/v1/upload`, { method: 'POST', headers: { ...headers[role], connection: 'close' }, body: form });
    },
  },
  { name: 'open a private picture', statuses: OPEN, run: (role) => call(role, 'GET', direct('bea')) },
  { name: 'open a thumbnail', statuses: OPEN, run: (role) => call(role, 'GET', `/t/${image('cora')}.jpg?w=120`) },
  { name: 'read a picture’s share', statuses: OPEN, run: (role) => call(role, 'GET', `/api/v1/s/${image('mara')}`) },
  { name: 'open a picture’s page', statuses: OPEN, run: (role) => call(role, 'GET', `/s/${image('mara')}`) },
  {
    name: 'open a protected picture',
    statuses: [401, 401, 200, 401, 404, 404, 404, 404],
    run: (role) => call(role, 'GET', direct('coraProtected')),
  },
  {
    name: 'open a limited picture’s thumbnail',
    statuses: [403, 403, 200, 403, 404, 404, 404, 404],
    run: (role) => call(role, 'GET', `/t/${image('coraLimited')}.jpg`),
  },
  {
    name: 'open an expired picture',
    statuses: [410, 410, 410, 410, 404, 404, 404, 404],
    run: (role) => call(role, 'GET', direct('expired')),
  },
  { name: 'open a picture in the trash', statuses: Array(8).fill(404), run: (role) => call(role, 'GET', direct('trashed')) },
  {
    name: 'open a former member’s picture',
    statuses: [404, 404, 404, 404, 200, 404, 404, 404],
    run: (role) => call(role, 'GET', direct('fred')),
  },
  {
    name: 'read another’s picture as its owner does',
    statuses: [404, 404, 200, 404, 404, 404, 401, 403],
    run: (role) => call(role, 'GET', `/api/v1/images/${image('coraProtected')}`),
  },
  { name: 'open the public page’s data', statuses: OPEN, run: (role) => call(role, 'GET', `/api/v1/a/${album}`) },
  { name: 'list the public page’s pictures', statuses: OPEN, run: (role) => call(role, 'GET', `/api/v1/a/${album}/images`) },
  { name: 'open the public page', statuses: OPEN, run: (role) => call(role, 'GET', `/a/${album}`) },
  { name: 'download it', statuses: OPEN, run: (role) => call(role, 'GET', `/api/v1/a/${album}/download`) },
  {
    name: 'search one’s own pictures',
    statuses: [...Array(6).fill(200), 401, 403],
    run: (role) => call(role, 'GET', '/api/v1/images?q=regatta'),
  },
  {
    name: 'see it in the timeline',
    statuses: [...Array(6).fill(200), 401, 403],
    run: (role) => call(role, 'GET', `/api/v1/images/timeline?album_id=${album}&by=taken`),
  },
  {
    name: 'download one’s own pictures in it',
    statuses: [200, 200, 200, 200, 404, 404, 401, 403],
    run: (role) => call(role, 'GET', `/api/v1/images/download?album_id=${album}`),
  },
  {
    name: 'see it among shared albums',
    statuses: [...Array(6).fill(200), 401, 403],
    run: (role) => call(role, 'GET', '/api/v1/albums?shared=true'),
  },
  { name: 'see it among own albums', statuses: [...Array(6).fill(200), 401, 403], run: (role) => call(role, 'GET', '/api/v1/albums') },
  {
    name: 'create a request link',
    statuses: BY_MANAGERS,
    run: (role) => call(role, 'POST', path('/requests'), { title: 'More', show: 'none' }),
  },
  { name: 'list request links', statuses: BY_MANAGERS, run: (role) => call(role, 'GET', path('/requests')) },
  {
    name: 'change the owner’s request link',
    statuses: [200, 404, 403, 403, ...OUTSIDE],
    run: (role) => call(role, 'PATCH', path(`/requests/${link}`), { show: 'own' }),
  },
  {
    name: 'see what the owner’s link received',
    statuses: [200, 404, 403, 403, ...OUTSIDE],
    run: (role) => call(role, 'GET', path(`/requests/${link}/received`)),
  },
  { name: 'read the request link', statuses: Array(10).fill(200), run: (role) => call(role, 'GET', `/api/v1/r/${link}`) },
  { name: 'open the page for senders', statuses: Array(10).fill(200), run: (role) => call(role, 'GET', `/r/${link}`) },
  { name: 'list what was sent', statuses: Array(10).fill(200), run: (role) => call(role, 'GET', `/api/v1/r/${link}/pictures`) },
  {
    name: 'open a thumbnail of what was sent',
    statuses: [...Array(8).fill(404), 200, 404],
    run: (role) => call(role, 'GET', `/api/v1/r/${link}/pictures/${sentFile}`),
  },
  {
    name: 'look at what may be removed',
    statuses: [...Array(8).fill(404), 200, 404],
    run: (role) => call(role, 'GET', `/api/v1/r/${link}/remove/${sentFile}`),
  },
];

/** The pictures that each role sees in lists. */
const SEEN: Record<string, readonly string[]> = {
  owner: ['of-bea', 'of-bea-open', 'of-bea-protected', 'of-cora', 'of-mara', 'of-sender'],
  manager: ['of-bea', 'of-bea-open', 'of-cora', 'of-mara', 'of-sender'],
  contributor: ['of-bea', 'of-bea-open', 'of-cora', 'of-cora-protected', 'of-mara', 'of-sender'],
  viewer: ['of-bea', 'of-bea-open', 'of-cora', 'of-mara', 'of-sender'],
};

it('opens to each role what it may, and shows everyone else not even that it exists', async () => {
  const takesPart = (role: Role) => ROLES.indexOf(role) < 4;
  let requests = 0;
  await withDatabase(sharing.service, async (db) => {
    const hook = { name: 'all', url: 'http://127.0.0.1:9/', secret: '', enabled: 1 as const, created_at: 1 };
    await db.as('job').write((queries) =>
      queries
        .insertInto('webhooks')
        .values({ ...hook, events: JSON.stringify(WEBHOOK_EVENTS) })
        .execute(),
    );
  });
  const leaks: string[] = [];
  const wrong: string[] = [];
  const table: Record<string, Record<string, number>> = {};
  for (const { name, statuses, run, before } of OPERATIONS) {
    table[name] = {};
    for (const [column, role] of ROLES.entries()) {
      await before?.(role);
      const response = await run(role);
      const text = await response.text();
      requests++;
      table[name][role] = response.status;
      const expected = statuses[column] ?? statuses[ROLES.indexOf('guest')];
      if (response.status !== expected) wrong.push(`${name}, ${role}: ${response.status} instead of ${expected} ${text.slice(0, 200)}`);
      // Responses that contain the caller's own pictures as their owner sees them.
      const own = /^(upload|search one’s own|read another)/.test(name);
      const secrets = role === 'sender' ? SECRETS.filter((secret) => secret !== 'of-sender') : SECRETS;
      if (!takesPart(role) && secrets.some((secret) => text.includes(secret))) leaks.push(`${name}, ${role}: ${text.slice(0, 300)}`);
      if (!own && NEVER.test(text)) leaks.push(`${name}, ${role}: ${text.match(NEVER)?.[0]}`);
      const mayRead = /text/.test(name) && (takesPart(role) || /former/.test(name));
      if (TEXT.test(text) && !mayRead) leaks.push(`${name}, ${role}: ${text.match(TEXT)?.[0]}`);
      if (response.ok && /^\/[it]\//.test(new URL(response.url).pathname) && !response.headers.get('cache-control')?.includes('no-store'))
        leaks.push(`${name}, ${role}: may be stored`);
    }
  }
  // Webhooks are told of albums and pictures as before, and of no members.
  const deliveries = await withDatabase(sharing.service, ({ read }) => read.selectFrom('webhook_deliveries').select('data').execute());
  expect(deliveries.length).toBeGreaterThan(0);
  for (const { data } of deliveries)
    if (/mara|cora|vera|fred|dora|member|role/.test(data.replace(/"name":"[^"]*"/, ''))) leaks.push(`webhook: ${data}`);
  if (process.env.PIXDOCK_TEST_MATRIX) {
    console.table(table);
    console.log(`${requests} requests, ${leaks.length} leaks`);
  }
  expect({ wrong, leaks }).toEqual({ wrong: [], leaks: [] });
  expect(requests).toBe(OPERATIONS.length * ROLES.length);
});

it('lists and counts what each member can open, by every way to list it', async () => {
  await putBack('cora', users.cora);
  for (const [role, names] of Object.entries(SEEN)) {
    const listed = async (address: string) => {
      const { items } = (await dataOf(await call(role as Role, 'GET', address))) as { items: { name: string }[] };
      return items
        .map(({ name }) => name.replace('.jpg', ''))
        .filter((name) => name !== 'new')
        .sort();
    };
    const uploads = 4;
    expect({ role, names: await listed(path('/images?limit=200')) }).toEqual({ role, names });
    expect({ role, names: await listed(path('/images?q=OF-')) }).toEqual({ role, names });
    // Pictures through the request link came without text.
    expect({ role, names: await listed(path('/images?q=INKED')) }).toEqual({ role, names: names.filter((name) => name !== 'of-sender') });
    expect({ role, names: await listed(`/api/v1/a/${album}/images`) }).toEqual({ role, names });
    // The owner also counts their own picture with a view limit, as in every album of theirs.
    const count = names.length + uploads;
    const ofOwner = role === 'owner' ? 1 : 0;
    expect({ role, count: (await dataOf(await call(role as Role, 'GET', path()))).image_count }).toEqual({ role, count: count + ofOwner });
    expect({ role, count: (await dataOf(await call(role as Role, 'GET', `/api/v1/a/${album}`))).image_count }).toEqual({ role, count });
  }
  // Tags are their owner's: a search can't find them out.
  expect((await dataOf(await call('viewer', 'GET', path('/images?q=private-tag')))).items).toEqual([]);
});

it('tells of a response for an unknown album nothing else than for this one', async () => {
  const unknown = 'zzzzzzzzzz';
  const bodyOf = async (role: Role, id: string, method: string, rest: string, body?: unknown) => {
    const response = await call(role, method, `/api/v1/albums/${id}${rest}`, body);
    return [response.status, (await response.text()).replaceAll(id, 'ID')];
  };
  const requests: [string, string, unknown?][] = [
    ['GET', ''],
    ['GET', '/images'],
    ['GET', '/members'],
    ['GET', '/hidden'],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', ''],
    ['PUT', '/members', { username: 'dora', role: 'viewer' }],
    ['DELETE', `/members/${users.vera.id}`],
    ['POST', '/images', { keys: [image('fred')] }],
    ['POST', '/images/remove', { keys: [image('bea')] }],
    ['POST', '/images/order', { keys: [image('bea')], before: null }],
  ];
  for (const role of ['former member', 'other user', 'guest'] as const)
    for (const request of requests) expect(await bodyOf(role, album, ...request)).toEqual(await bodyOf(role, unknown, ...request));
});
