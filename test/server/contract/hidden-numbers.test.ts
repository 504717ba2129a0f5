import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createUser } from '#api/admin/users.ts';
import { createAlbum } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import { createInvite } from '#api/auth/invites.ts';
import { createToken } from '#api/auth/tokens.ts';
import { createClient } from '#api/client.ts';
import { API_PREFIX, SENDER_HEADER } from '#api/constants.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { countImages } from '#api/images/images.ts';
import { getTimeline } from '#api/images/timeline.ts';
import { addReceived, send } from '#api/sent.ts';
import { createRequest, listRequestBatches } from '#api/sharing/requests.ts';
import { createWebhook } from '#api/webhooks.ts';
import { openEvents, textOf } from '#test/helpers/network/event-stream.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, USER_PASSWORD, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { sendThrough } from '#test/helpers/service/requests.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { good, type Schema } from './inputs.ts';

interface Operation {
  method: string;
  path: string;
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
}

const { service, owner } = await startFileService();
const document = await (await fetch(`${service.url}${API_PREFIX}/openapi.json`)).json();
const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path: path.slice(API_PREFIX.length) })),
);
const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'));

/** Numbers of rows begin here, and end before that. More of them would occur in keys and hashes by chance. */
const FIRST = 7_310_000;
const LAST = FIRST + 1_000;
await raiseNumbers();
const user = await addUser(service, 'ursula');
const reader = await addUser(service, 'reader');

/** Everything that a user's requests have returned: addresses with status, headers and text. */
const seen: { what: string; text: string }[] = [];
const ask = async (cookie: string, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${service.url}${path}`, { headers: { cookie, ...headers }, redirect: 'manual' });
  const text = await textOf(response);
  seen.push({ what: path, text: `${JSON.stringify([...response.headers])}\n${text}` });
  return { status: response.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
};
const client = createClient({
  baseUrl: service.url,
  fetch: async (address, init) => {
    const response = await fetch(address, { ...init, headers: { ...(init?.headers as object), cookie: user.cookie } });
    seen.push({ what: `${init?.method} ${String(address)}`, text: await response.clone().text() });
    return response;
  },
});
const token = await client.call(createToken, { body: { name: 'first', scope: 'full' } });
await client.call(createToken, { body: { name: 'second', scope: 'upload' } });
await newSession(service, 'ursula', USER_PASSWORD);
const albums = await Promise.all(['Sea', 'Land'].map((name) => client.call(createAlbum, { body: { name, visibility: 'public' } })));
const [album, other] = albums.map(({ id }) => id) as [string, string];
for (const id of [album, other]) await client.call(putMember, { params: { id }, body: { username: 'reader', role: 'viewer' } });
const request = await client.call(createRequest, { params: { id: album }, body: { title: 'Party', show: 'all' } });
await client.call(createRequest, { params: { id: album }, body: { title: 'Another', show: 'all' } });
const secrets = ['ann', 'eve'].map((name) => `${name}-0123456789abcdef`);
for (const [index, secret] of secrets.entries())
  seen.push({
    what: 'sent',
    text: JSON.stringify(await sendThrough(service.url, request.id, tinyPng(50 + index), { headers: { [SENDER_HEADER]: secret } })),
  });
const keys: string[] = [];
for (const seed of [1, 1, 2, 2, 3, 4, 5, 6]) {
  const visibility = keys.length % 2 ? 'private' : 'public';
  keys.push((await uploadImage(service, token.token, tinyPng(seed), { album_id: album, visibility, tags: `tag ${seed}` })).key);
}
const [key = ''] = keys;
const readers = await reader.token('full');
for (const message of ['Look', 'Again']) {
  const { key: ofReader } = await uploadImage(service, readers, tinyPng(60 + message.length));
  const { id } = await reader.client.call(send, { body: { keys: [ofReader], to: [{ username: 'ursula' }], message } });
  await client.call(addReceived, { params: { id: album }, body: { sent_id: id, keys: [ofReader] } });
}
seen.push({ what: 'POST /sent', text: JSON.stringify(await client.call(send, { body: { keys: [key], to: [{ username: 'reader' }] } })) });
await client.call(batchImages, { body: { action: 'trash', keys: keys.slice(6) } });
await client.call(batchImages, { body: { action: 'tag', mode: 'add', keys: keys.slice(0, 2), tags: ['both'] } });
await client.call(updateImage, { params: { key }, body: { slug: 'sea-side' } });
await withDatabase(service, async (db) => {
  await addImageRows(db, user.id, 250, () => ({}));
  await db.as('job').write(async (queries) => {
    const passkey = { user_id: user.id, public_key: 'AAAA', counter: 0, transports: '[]', host: '127.0.0.1', name: 'key', created_at: 1 };
    await queries
      .insertInto('passkeys')
      .values([
        { ...passkey, credential_id: 'AAAA' },
        { ...passkey, credential_id: 'BBBB' },
      ])
      .execute();
    await queries
      .insertInto('identities')
      .values({ user_id: user.id, issuer: 'https://login.example.org', subject: '1', created_at: 1 })
      .execute();
  });
});
const { items: received } = await client.call(listRequestBatches, { params: { id: album, request: request.id }, query: {} });
// For administrators, who have lists of their own.
for (const name of ['one', 'two']) {
  await owner.client.call(createInvite, { body: { note: name } });
  await owner.client.call(createWebhook, { body: { name, url: 'https://chat.example.org/hook', events: ['image.created'] } });
  await owner.client.call(createUser, {
    body: { username: `user-${name}`, email: `${name}@example.org`, password: 'correct horse battery' },
  });
}
for (const seed of [20, 21]) await uploadImage(service, token.token, tinyPng(seed));
await withDatabase(service, (db) =>
  db.as('job').write(async (queries) => {
    const { id: _, ...policy } = await queries.selectFrom('policies').selectAll().executeTakeFirstOrThrow();
    await queries
      .insertInto('policies')
      .values({ ...policy, name: 'Another' })
      .execute();
  }),
);

const PARAMETERS: Record<string, string> = { key, album, request: request.id, batch: received[0]?.id ?? '', slug: 'sea-side', w: '120' };

/** The address of an operation, for its user's own resources. */
async function addressOf({ path, parameters }: Operation, query: Record<string, string> = {}): Promise<string> {
  const { data } = path.includes('{file}') ? await ask('', `/api/v1/r/${request.id}/pictures`) : { data: undefined };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'file') return data.items[0].id;
    if (path.startsWith('/trash/')) return keys.at(-1) ?? '';
    if (name !== 'id') return PARAMETERS[name] ?? 'x';
    if (path.startsWith('/admin/webhooks')) return String(FIRST + 1);
    return path.startsWith('/r/') ? request.id : /^\/(albums|a)\//.test(path) ? album : '1';
  });
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const values = required.map(({ name, schema }) => [name, PARAMETERS[name] ?? String(good(schema))]);
  return `${API_PREFIX}${filled}?${new URLSearchParams({ ...Object.fromEntries(values), ...query })}`;
}

/** What these return has no numbers of rows, and files that the rows of this test don't have. */
const FILES = ['/images/download', '/user/export'];

/** What a text contains of the numbers of rows, written in any way, also below Base64. */
function revealed(text: string): string[] {
  const isNumber = (number: number) => number >= FIRST && number < LAST;
  const plain = [...text.matchAll(/\d+/g)].filter(([digits]) => isNumber(Number(digits)));
  const base36 = [...text.matchAll(/(?<![\w-])[0-9a-z]{5}(?![\w-])/g)].filter(([word]) => isNumber(Number.parseInt(word, 36)));
  const hex = [...text.matchAll(/(?<![\w-])[0-9a-f]{6}(?![\w-])/g)].filter(([word]) => isNumber(Number.parseInt(word, 16)));
  const encoded = [...text.matchAll(/[\w-]{8,}/g)].flatMap(([word]) => {
    const decoded = Buffer.from(word, 'base64url').toString('latin1');
    return [...decoded.matchAll(/\d{7,}/g)].filter(([digits]) => isNumber(Number(digits)));
  });
  return [...plain, ...base36, ...hex, ...encoded].map(([word]) => word);
}

it('finds numbers in any form, or the others would find nothing', () => {
  const id = FIRST + 3;
  const forms = [
    `"id":${id}`,
    `"as_of":"${id.toString(36)}"`,
    `"x":"${id.toString(16)}"`,
    `"c":"${Buffer.from(`[1,${id}]`).toString('base64url')}"`,
  ];
  for (const form of forms) expect([form, revealed(form).length > 0]).toEqual([form, true]);
  expect(revealed(`"created_at":"2026-11-28T04:00:00Z","size":1731,"key":"${key}"`)).toEqual([]);
});

it('looks for every number that a row has', async () => {
  const numbers = onPostgres ? sql`select last_value as number from pg_sequences` : sql`select seq as number from sqlite_sequence`;
  const { rows } = (await withDatabase(service, (db) => numbers.execute(db.read))) as { rows: { number: unknown }[] };
  const highest = Math.max(...rows.map(({ number }) => Number(number)));
  expect(highest).toBeGreaterThan(FIRST);
  expect(highest).toBeLessThan(LAST);
});

it('tells users no number that grows with what others do', async () => {
  /** Their own account's, which stays what it is, and those of the accounts that they deal with. */
  const accounts = new RegExp(`\\b(${user.id}|${reader.id})\\b`, 'g');
  const refused: string[] = [];
  for (const operation of operations.filter(
    ({ method, path }) => method === 'get' && !path.startsWith('/admin/') && !FILES.includes(path),
  )) {
    const sender = operation.path.startsWith('/r/') ? { [SENDER_HEADER]: secrets[0] as string } : undefined;
    const paged = operation.parameters.some(({ name }) => name === 'limit');
    const { status } = await ask(user.cookie, await addressOf(operation, paged ? { limit: '1' } : {}), sender);
    if (status >= 300) refused.push(operation.path);
  }
  // These say nothing about a user's own: they are for others, or there is none.
  expect(refused.toSorted()).toEqual([
    '/auth/oidc/callback',
    '/auth/oidc/start',
    '/avatars/{id}',
    '/branding/{name}',
    '/delete/{key}/{secret}',
    '/r/{id}/remove/{file}',
  ]);
  // A member sees what others share.
  for (const path of ['/albums?shared=true&limit=1', `/albums/${album}/images?limit=1`, `/albums/${album}`])
    await ask(reader.cookie, API_PREFIX + path);
  await ask(user.cookie, `${API_PREFIX}/sent?box=out&limit=1`);
  await ask(user.cookie, `${API_PREFIX}/images/count?by=album`);
  await ask(user.cookie, `${API_PREFIX}/images/timeline?q=tag`);
  // Who has an account here is what the directory is for.
  const hidden = seen.filter(({ what }) => what !== `${API_PREFIX}/team?`);
  const found = hidden.flatMap(({ what, text }) => revealed(text.replaceAll(accounts, 'account')).map((number) => `${what}: ${number}`));
  expect(found).toEqual([]);
});

it.each(lists.map((operation) => [operation.path, operation] as const))(
  'seals the cursors of %s, which lead to the rest',
  async (path, operation) => {
    const cookie = path.startsWith('/admin/') ? owner.cookie : user.cookie;
    const sender = path.startsWith('/r/') ? { [SENDER_HEADER]: secrets[0] as string } : undefined;
    const page = (cursor?: string) =>
      addressOf(operation, { limit: '1', ...(cursor !== undefined && { cursor }) }).then((address) => ask(cookie, address, sender));
    const first = await page();
    const cursor = first.data.next_cursor as string;
    expect([first.status, cursor]).toEqual([200, expect.stringMatching(/^[\w-]{60,}$/)]);
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/\d{6}/);
    const second = await page(cursor);
    expect(second.status).toBe(200);
    expect(second.data.items).toHaveLength(1);
    if (path !== '/images/placeholders') expect(second.data.items).not.toEqual(first.data.items);
    // The same place has the same cursor, which clients and caches rely on.
    expect((await page()).data.next_cursor).toBe(cursor);
    const changed = `${cursor.slice(0, 30)}${cursor[30] === 'A' ? 'B' : 'A'}${cursor.slice(31)}`;
    for (const wrong of [changed, cursor.slice(0, -4), Buffer.from('[1,2]').toString('base64url'), '[1,2]', '5', ''])
      expect([wrong, (await page(wrong)).data]).toMatchObject([wrong, { code: 'invalid_request', field: 'cursor' }]);
  },
);

it('seals all cursors of a timeline, always in the same way', async () => {
  const { cursors } = await client.call(getTimeline, { query: {} });
  expect(cursors.length).toBeGreaterThan(1);
  for (const cursor of cursors) expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/\d{6}/);
  expect((await client.call(getTimeline, { query: {} })).cursors).toEqual(cursors);
});

it('says by nothing whether others have done something in between', async () => {
  const count = () => client.call(countImages, { query: {} });
  const stream = async () => {
    const { events, close } = await openEvents(service, { cookie: user.cookie });
    await expect.poll(() => events.length).toBeGreaterThan(0);
    close();
    return events[0]?.id ?? '';
  };
  for (const read of [async () => (await count()).as_of, stream]) {
    const [one, two] = [await read(), await read()];
    await uploadImage(service, await owner.token('upload'), tinyPng(100 + seen.length));
    const three = await read();
    expect([one, two, three].every((text) => /^[\w-]{60,}$/.test(text))).toBe(true);
    expect(new Set([one, two, three]).size).toBe(3);
    expect(new Set([one.length, two.length, three.length]).size).toBe(1);
  }
});

it('refuses an as_of that no count has returned', async () => {
  const { as_of } = await client.call(countImages, { query: {} });
  const batch = (asOf: string) =>
    client.call(batchImages, { body: { action: 'tag', mode: 'add', tags: ['x'], query: { as_of: asOf, tag: 'none' } } });
  expect(await batch(as_of)).toMatchObject({ processed: 0 });
  const { data } = await ask(user.cookie, `${API_PREFIX}/images?limit=1`);
  for (const wrong of ['1c', 'zzzzz', '', as_of.slice(1), data.next_cursor, token.id])
    await expect(batch(wrong)).rejects.toMatchObject({ code: 'invalid_request' });
  expect((await ask(user.cookie, `${API_PREFIX}/images/download?as_of=1c`)).data).toMatchObject({
    code: 'invalid_request',
    field: 'as_of',
  });
});

it('takes no id for another kind of thing', async () => {
  const ids = [token.id, received[0]?.id ?? '', String(FIRST + 1), 'x'];
  for (const id of ids) {
    expect((await user.fetch(`${API_PREFIX}/user/sessions/${id}`, { method: 'DELETE' })).status).toBe(404);
    if (id !== received[0]?.id) expect((await ask(user.cookie, `${API_PREFIX}/requests/received/${id}`)).status).toBe(404);
  }
});

/** Has the numbers of all tables begin at {@link FIRST}. */
async function raiseNumbers() {
  await withDatabase(service, (db) =>
    db.as('job').write(async (queries) => {
      if (onPostgres) {
        const columns = sql<{ name: string }>`select pg_get_serial_sequence(table_name::text, column_name::text) as name
          from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`;
        for (const { name } of (await columns.execute(queries)).rows) await sql`select setval(${name}, ${FIRST})`.execute(queries);
        return;
      }
      await sql`delete from sqlite_sequence`.execute(queries);
      await sql`insert into sqlite_sequence (name, seq) select name, ${FIRST} from sqlite_schema where type = 'table' and sql like '%autoincrement%'`.execute(
        queries,
      );
    }),
  );
}
