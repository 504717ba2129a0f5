import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Updateable } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAlbum } from '#api/albums/albums.ts';
import { createToken } from '#api/auth/tokens.ts';
import { API_PREFIX } from '#api/constants.ts';
import { trashImage } from '#api/images/images.ts';
import { createRequest } from '#api/sharing/requests.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { endSessions, openSession, SESSION_COOKIE } from '#server/core/accounts/sessions.ts';
import { insertToken, revokeTokens } from '#server/core/accounts/tokens.ts';
import { insertUser, setPasswordHash } from '#server/core/accounts/users.ts';
import { writeSettings } from '#server/core/settings/settings.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { Author, Queries } from '#server/platform/db/database.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import { tableNames } from '#server/platform/db/schema/tables.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { writeEmptyDatabase } from '#test/helpers/service/data/empty-database.ts';
import { setUp, signedIn, uploadImage } from '#test/helpers/service/service.ts';
import { MATRIX, type Row } from './access-matrix.ts';
import { good, type Schema } from './inputs.ts';

// Whoever writes may lose the right to while the request arrives, or while it waits: each unit of writing checks its caller (decision 160). Every operation of
// the OpenAPI document that writes for a session or token is sent and revoked at those two moments; nothing may be written. The same requests without a revocation
// show that there would have been something to write.

const folder = temporaryFolder(afterAll);
const policies = temporaryFolder(afterAll);
await writeEmptyDatabase(folder);
const opened = await openTestContext(folder);
afterAll(() => opened.close());
const { context, url } = opened;
const { db } = context;
await setUp({ url, setupCode: context.setupCode });

/** Runs right before each unit of writing of a caller begins. */
let beforeUnit: () => Promise<void> = async () => undefined;
const { as } = db;
db.as = (author: Author) => {
  const own = as(author);
  if (typeof author === 'string') return own;
  return {
    ...own,
    async write(work, size) {
      await beforeUnit();
      return own.write(work, size);
    },
  };
};
const note = <T>(work: (queries: Queries) => Promise<T>) => as('note').write(work);

interface Operation {
  name: string;
  path: string;
  method: string;
  json: Schema | undefined;
  isForm: boolean;
}

const document = await (await fetch(`${url}${API_PREFIX}/openapi.json`)).json();
type Described = { requestBody?: { content: Record<string, { schema: Schema }> } };
const operations: Operation[] = Object.entries(document.paths as Record<string, Record<string, Described>>)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, { requestBody }]) => {
      const method = verb.toUpperCase();
      const json = requestBody?.content['application/json']?.schema;
      return { name: `${method} ${path.slice(API_PREFIX.length)}`, path, method, json, isForm: !json && requestBody !== undefined };
    }),
  )
  .filter(({ method }) => method !== 'GET');

const PASSWORD = 'a password of the test';
const passwordHash = await hashPassword(PASSWORD);

/** The account whose rights end, an admin, and what its requests name. */
interface Victim {
  id: number;
  cookie: string;
  session: number;
  token: string;
  names: Record<string, string>;
}

let number = 0;
/** @param owner the first account, for what only the owner may do */
async function newVictim(owner = false): Promise<Victim> {
  const id = owner ? 1 : await newAccount('admin');
  if (owner) await note((queries) => queries.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', id).execute());
  const credentials = await signIn(id);
  const { token } = credentials;
  const { client } = signedIn({ url }, credentials.cookie);
  const { id: tokenId } = await client.call(createToken, { body: { name: 'another', scope: 'full' } });
  const { session } = await signIn(id);
  const upload = () => uploadImage({ url }, token, tinyPng(++number));
  const [{ key }, { key: other }, { key: trashed }, { key: video }] = [await upload(), await upload(), await upload(), await upload()];
  await note((queries) => queries.updateTable('images').set({ duration: 1000 }).where('key', '=', video).execute());
  await client.call(trashImage, { params: { key: trashed } });
  const album = await client.call(createAlbum, { body: { name: 'Album' } });
  const link = await client.call(createRequest, { params: { id: album.id }, body: { title: 'Send', show: 'none' } });
  const account = await newAccount('user');
  const sent = randomKey(22);
  await note(async (queries) => {
    const at = Date.now();
    await queries.insertInto('sendings').values({ id: sent, sender_id: account, message: '', image_count: 0, created_at: at }).execute();
    const recipient = { sending_id: sent, user_id: id, sent_at: at, seen_at: null, removed_at: null };
    await queries.insertInto('sending_recipients').values(recipient).execute();
  });
  return {
    ...credentials,
    names: {
      key,
      other,
      trashed,
      video,
      album: album.id,
      link: link.id,
      sent,
      token: String(tokenId),
      session: String(session),
      account: String(account),
    },
  };
}

/** A new session and a new token of an account. */
async function signIn(id: number) {
  const [{ secret }, { secret: token }] = await note(async (queries) => [
    await openSession(queries, id, { address: '127.0.0.1', userAgent: 'test' }),
    await insertToken(queries, id, { name: 'test', scope: 'full', expiresIn: 0 }),
  ]);
  const { session } = await db.read
    .selectFrom('sessions')
    .select((row) => row.fn.max('id').as('session'))
    .executeTakeFirstOrThrow();
  return { id, session, cookie: `${SESSION_COOKIE}=${secret}`, token };
}

async function newAccount(role: 'admin' | 'user'): Promise<number> {
  const username = `${role}${++number}`;
  const more = { email: `${username}@example.org`, emailSource: 'admin', passwordHash, role, isOwner: false, groupId: 2 } as const;
  return (await note((queries) => insertUser(queries, { username, ...more }, Date.now()))).id;
}

/** What the paths name: by what their parameter follows. */
const NAMED: Record<string, string> = {
  '/albums/{id}': 'album',
  '/user/tokens/{id}': 'token',
  '/user/sessions/{id}': 'session',
  '/sent/{id}': 'sent',
  '/admin/users/{id}': 'account',
  '/trash/{key}': 'trashed',
  '{key}': 'key',
  '{request}': 'link',
};

function pathOf({ path }: Operation, { names }: Victim): string {
  return path.replace(/\{(\w+)\}/g, (parameter, _name, at: number) => {
    const upTo = path.slice(API_PREFIX.length, at + parameter.length);
    const [, of] = Object.entries(NAMED).find(([end]) => upTo.endsWith(end)) ?? [];
    return (path.endsWith('/poster') ? names.video : of && names[of]) ?? '1';
  });
}

/** Bodies that change something, where the least that the schema accepts doesn't. */
const BODIES: Record<string, (names: Victim['names']) => object> = {
  'POST /upload/url': () => ({ url: 'http://127.0.0.1:1/' }),
  'PATCH /images/{key}': () => ({ title: 'Changed' }),
  'POST /images/batch': ({ key }) => ({ action: 'visibility', visibility: 'private', keys: [key] }),
  'POST /images/duplicates/keep': ({ key, other }) => ({ key, delete: [other] }),
  'POST /images/duplicates/review': ({ key, other }) => ({ keys: [key, other], different: true }),
  'POST /trash/restore': ({ trashed }) => ({ keys: [trashed] }),
  'POST /trash/purge': ({ trashed }) => ({ keys: [trashed] }),
  'PATCH /user': () => ({ username: `renamed${++number}` }),
  'PATCH /user/preferences': () => ({ visibility: 'private' }),
  'PUT /user/password': () => ({ current_password: PASSWORD, new_password: 'another password of the test', revoke_tokens: false }),
  'DELETE /user': () => ({ current_password: PASSWORD }),
  'POST /albums/order': ({ album }) => ({ ids: [album] }),
  'PATCH /albums/{id}': () => ({ name: 'Renamed' }),
  'PATCH /albums/{id}/requests/{request}': () => ({ title: 'Renamed' }),
  'POST /albums/{id}/images': ({ key }) => ({ keys: [key] }),
  'POST /albums/{id}/images/remove': ({ key }) => ({ keys: [key] }),
  'POST /albums/{id}/images/order': ({ key }) => ({ keys: [key], before: null }),
  'PUT /albums/{id}/members': () => ({ username: 'ada', role: 'viewer' }),
  'POST /sent': ({ key }) => ({ keys: [key], to: [{ username: 'ada' }] }),
  'PUT /admin/oidc': () => ({ enabled: false, issuer: 'http://127.0.0.1:1', client_id: 'id' }),
  'PATCH /admin/settings': () => ({ site_name: `Site ${++number}` }),
  'PATCH /admin/users/{id}': () => ({ role: 'admin' }),
  'POST /admin/users': () => ({ username: `new${++number}`, email: `new${number}@example.org`, password: PASSWORD, role: 'user' }),
  'POST /admin/users/{id}/reset-password': () => ({ password: 'another password of the test', revoke_tokens: true }),
  'POST /admin/users/{id}/transfer': () => ({ to_user_id: 1 }),
  'PATCH /admin/groups/{id}': () => ({ name: `Group ${++number}` }),
  'POST /admin/groups': () => ({ name: `Group ${++number}` }),
  'PATCH /admin/policies/{id}': () => ({ name: `Policy ${++number}` }),
  'POST /admin/policies': () => ({ name: 'New', folder: join(policies, String(++number)) }),
  'DELETE /user/passkeys/{id}': () => ({ current_password: PASSWORD }),
  'DELETE /user/sign-on/{id}': () => ({ current_password: PASSWORD }),
  'POST /user/two-factor': () => ({ current_password: PASSWORD }),
  'POST /user/two-factor/recovery-codes': () => ({ current_password: PASSWORD }),
  'POST /user/two-factor/disable': () => ({ current_password: PASSWORD }),
  'POST /admin/webhooks': () => ({ name: 'hook', url: 'https://example.org/', events: ['image.created'] }),
  'POST /admin/restore/choose': () => ({ name: 'none.tar' }),
  'POST /admin/images/purge': ({ key }) => ({ keys: [key] }),
  'POST /admin/system/clean-up': () => ({ what: 'trash' }),
  'PUT /admin/backup/schedule': () => ({ schedule: null }),
};

interface Sending {
  headers: Record<string, string>;
  body: Buffer;
}

async function sendingOf(operation: Operation, victim: Victim, authorization: Record<string, string>): Promise<Sending> {
  const { json, isForm, name } = operation;
  if (json) {
    const body = Buffer.from(JSON.stringify(BODIES[name]?.(victim.names) ?? required(json)));
    return { headers: { ...authorization, 'content-type': 'application/json' }, body };
  }
  if (!isForm) return { headers: authorization, body: Buffer.alloc(0) };
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(tinyPng(++number))]), 'new.png');
  const request = new Request(url, { method: 'POST', body: form });
  return {
    headers: { ...authorization, 'content-type': request.headers.get('content-type') ?? '' },
    body: Buffer.from(await request.arrayBuffer()),
  };
}

function required(schema: Schema): unknown {
  const option = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (option) return required(option);
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
  return Object.fromEntries(properties.map(([name, property]) => [name, good(property)]));
}

/** Sends the head of a request and some of its body, has `meanwhile` run once the service waits for the rest, and sends that. */
async function send(operation: Operation, victim: Victim, { headers, body }: Sending, meanwhile?: () => Promise<void>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
  const options = { method: operation.method, agent: false, headers: { ...length, ...headers } };
  const sent = httpRequest(`${url}${pathOf(operation, victim)}`, options, (response) => {
    response.resume();
    response.on('end', () => resolve(response.statusCode ?? 0));
  });
  sent.on('error', reject);
  if (body.length > 0 && meanwhile) {
    sent.write(body.subarray(0, 1));
    await admitted(headers);
    await meanwhile();
    sent.end(body.subarray(1));
  } else sent.end(body);
  return promise;
}

/** Resolves once the service has admitted a request that was sent before: another one of the same caller has been answered since. */
async function admitted(headers: Sending['headers']) {
  const { cookie, authorization } = headers;
  for (let count = 0; count < 2; count++)
    await fetch(`${url}${API_PREFIX}/user/limits`, { headers: { ...(cookie && { cookie }), ...(authorization && { authorization }) } });
  await turn();
}

/** The ways in which the rights of an account end. */
const WAYS = {
  'session ended': ({ session }) => note((queries) => queries.deleteFrom('sessions').where('id', '=', session).execute()),
  'all access ended': ({ id }) => note(async (queries) => [await endSessions(queries, id), await revokeTokens(queries, id)]),
  'password changed': ({ id }) => note(async (queries) => [await setPasswordHash(queries, id, 'another'), await endSessions(queries, id)]),
  'account disabled': ({ id }) => note((queries) => queries.updateTable('users').set({ disabled_at: 1 }).where('id', '=', id).execute()),
  demoted: ({ id }) => note((queries) => queries.updateTable('users').set({ role: 'user' }).where('id', '=', id).execute()),
  'token revoked': ({ id }) => note((queries) => revokeTokens(queries, id)),
} satisfies Record<string, (victim: Victim) => Promise<unknown>>;
type Way = keyof typeof WAYS;

const isForAdmins = ({ outcomes }: Row) => outcomes.user === 403;
const isForOwner = ({ outcomes }: Row) => outcomes.admin === 403;
const isForSessions = ({ outcomes }: Row) => outcomes['full token'] === 403;
/** For anyone: what the request contains decides. */
const isOpen = ({ name }: Operation) => name.includes('/auth/') || (name !== 'POST /upload' && MATRIX[name]?.outcomes.anonymous !== 401);

const candidates = operations.filter((operation) => !isOpen(operation));

/**
 * Operations that don't write to the database on behalf of their caller, or can't here: they name what doesn't exist, or need another computer.
 */
const WITHOUT_UNIT = new Set([
  'POST /upload/url',
  'POST /images/{key}/versions/{version}/restore',
  'POST /admin/backup',
  'DELETE /admin/backup/files/{name}',
  'POST /admin/backup/schedule/run',
  'POST /admin/restore',
  'DELETE /admin/restore',
  'POST /admin/restore/choose',
  'POST /admin/restore/restart',
  'POST /device/find',
  'DELETE /user/token',
  'POST /phone/find',
  'POST /user/two-factor',
  'PUT /user/two-factor',
  'POST /user/passkeys',
  'POST /user/passkeys/options',
  'POST /user/sign-on',
  'POST /admin/policies/test',
]);

/** Everything in the database but what the service notes of each request. */
async function everything(): Promise<string> {
  const tables = await Promise.all(
    tableNames.filter((table) => !NOTED.includes(table)).map((table) => db.read.selectFrom(table).selectAll().execute()),
  );
  return JSON.stringify(tables, (name, value) => (name === 'last_seen_at' || name === 'last_used_at' ? undefined : value));
}
const NOTED = ['limits', 'image_search_queue'];

/** Sends an operation whose caller loses a right at some moment. Returns the status, and whether anything was written after that. */
async function sendRevoked(operation: Operation, victim: Victim, way: Way, moment: 'body' | 'unit') {
  const authorization: Record<string, string> =
    way === 'token revoked' ? { authorization: `Bearer ${victim.token}` } : { cookie: victim.cookie };
  const sending = await sendingOf(operation, victim, authorization);
  let before: string | undefined;
  const revoke = async () => {
    if (before !== undefined) return;
    await WAYS[way](victim);
    before = await everything();
  };
  if (moment === 'unit') beforeUnit = revoke;
  const status = await send(operation, victim, sending, moment === 'body' ? revoke : undefined);
  beforeUnit = async () => undefined;
  return { status, isRevoked: before !== undefined, isWritten: before !== (await everything()) };
}

/** Gives an account back what it has lost, with a new session and a new token. */
async function restore(victim: Victim): Promise<Victim> {
  const role = { disabled_at: null, role: 'admin', password_hash: passwordHash } as const;
  await note((queries) => queries.updateTable('users').set(role).where('id', '=', victim.id).execute());
  return { ...victim, ...(await signIn(victim.id)) };
}

/** The ways that concern an operation. */
const waysOf = (row: Row): Way[] => [
  'session ended',
  'all access ended',
  'password changed',
  'account disabled',
  ...(isForAdmins(row) && !isForOwner(row) ? (['demoted'] as const) : []),
  ...(isForSessions(row) || isForAdmins(row) ? [] : (['token revoked'] as const)),
];

const REFUSALS = [401, 403, 404];
/** The number of requests at each moment, for docs/trust.md. */
const sent = { body: 0, unit: 0 };
let victims: { admin: Victim; owner: Victim };

beforeAll(async () => {
  victims = { admin: await newVictim(), owner: await newVictim(true) };
});
afterAll(() => console.log(`revocations: ${sent.body} while a body arrived, ${sent.unit} right before a unit of writing; written: 0`));

it.each(candidates.map((operation) => [operation.name, operation] as const))(
  'refuses %s, and writes nothing, once its caller may not',
  async (_name, operation) => {
    const row = MATRIX[operation.name] as Row;
    const whose = isForOwner(row) ? 'owner' : 'admin';
    for (const way of waysOf(row)) {
      for (const moment of ['body', 'unit'] as const) {
        if (moment === 'body' && !operation.json && !operation.isForm) continue;
        const { status, isRevoked, isWritten } = await sendRevoked(operation, victims[whose], way, moment);
        victims[whose] = await restore(victims[whose]);
        if (!isRevoked) continue;
        sent[moment]++;
        expect({ way, moment, isRefused: REFUSALS.includes(status), status, isWritten }).toEqual({
          way,
          moment,
          isRefused: true,
          status,
          isWritten: false,
        });
      }
    }
    let units = 0;
    beforeUnit = async () => void units++;
    const victim = victims[whose];
    await send(operation, victim, await sendingOf(operation, victim, { cookie: victim.cookie }));
    beforeUnit = async () => undefined;
    expect(units > 0).toBe(!WITHOUT_UNIT.has(operation.name));
    if (row.uses || operation.method === 'DELETE' || /\/(albums|sent)\//.test(operation.name))
      victims[whose] = await newVictim(whose === 'owner');
    else victims[whose] = await restore(victim);
  },
);

/** Sends a form; `meanwhile` runs right before the unit that would store it. */
async function sendForm(path: string, headers: Record<string, string>, fields: Record<string, string>, meanwhile: () => Promise<unknown>) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(tinyPng(++number))]), 'new.png');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const images = async () => (await db.read.selectFrom('images').select('id').execute()).length;
  const before = await images();
  beforeUnit = async () => void (await meanwhile());
  const response = await fetch(`${url}${API_PREFIX}${path}`, { method: 'POST', headers, body: form });
  beforeUnit = async () => undefined;
  const { code, reason } = (await response.json()).data as { code: string; reason?: string };
  return { status: response.status, code: reason ?? code, stored: (await images()) - before };
}

const setGroup = (kind: 'default' | 'guest', values: Updateable<Tables['groups']>) =>
  note((queries) => queries.updateTable('groups').set(values).where('kind', '=', kind).execute());

it.each<[string, { fields?: Record<string, string>; change: Updateable<Tables['groups']> }, string]>([
  ['the format', { change: { allowed_exts: '["jpg"]' } }, 'ext_not_allowed'],
  ['files of that size', { change: { max_file_bytes: 10 } }, 'file_too_large'],
  ['the storage policy', { fields: { policy_id: '1' }, change: { policy_ids: '[]' } }, 'policy_not_allowed'],
  ['links that last so long', { fields: { expires_in: '3600' }, change: { max_expires_in: 60 } }, 'expires_over_group'],
  ['that many views', { fields: { max_views: '100' }, change: { max_max_views: 10 } }, 'max_views_over_group'],
  ['conversion', { fields: { convert: 'webp' }, change: { allow_convert: 0 } }, 'invalid_request'],
  ['the storage that it takes', { change: { storage_quota_bytes: 1 } }, 'quota_exceeded'],
])('stores no upload whose group no longer allows %s', async (_what, { fields = {}, change }, code) => {
  const victim = await newVictim();
  const group = await db.read.selectFrom('groups').selectAll().where('kind', '=', 'default').executeTakeFirstOrThrow();
  const result = await sendForm('/upload', { cookie: victim.cookie }, fields, () => setGroup('default', change));
  await setGroup('default', group);
  expect([result.code ?? '', result.stored]).toEqual([code, 0]);
});

it.each<[string, () => Promise<unknown>, () => Promise<unknown>, Record<string, string>, string]>([
  ['guests', () => note((queries) => writeSettings(queries, { guest_upload_enabled: false })), async () => undefined, {}, 'guest_disabled'],
  [
    'custom addresses',
    () => note((queries) => writeSettings(queries, { custom_addresses_enabled: false })),
    () => note((queries) => writeSettings(queries, { custom_addresses_enabled: true })),
    { slug: 'a-picture' },
    'forbidden',
  ],
])('stores no upload once an admin has turned off %s', async (what, change, back, fields, code) => {
  await context.settings.change('note', { guest_upload_enabled: true });
  const headers: Record<string, string> = what === 'guests' ? {} : { cookie: (await newVictim()).cookie };
  const result = await sendForm('/upload', headers, fields, change);
  await back();
  expect([result.code, result.stored]).toEqual([code, 0]);
});

it.each<[string, (link: string, owner: number) => (queries: Queries) => Promise<unknown>, number, string]>([
  [
    'is paused',
    (id) => (queries) => queries.updateTable('request_links').set({ paused_at: 1 }).where('id', '=', id).execute(),
    410,
    'paused',
  ],
  ['ends', (id) => (queries) => queries.updateTable('request_links').set({ expires_at: 1 }).where('id', '=', id).execute(), 410, 'ended'],
  [
    'gets a password',
    (id) => (queries) => queries.updateTable('request_links').set({ password_hash: 'x' }).where('id', '=', id).execute(),
    401,
    'password_required',
  ],
  ['is deleted', (id) => (queries) => queries.deleteFrom('request_links').where('id', '=', id).execute(), 404, 'not_found'],
  [
    'belongs to a disabled account',
    (_id, owner) => (queries) => queries.updateTable('users').set({ disabled_at: 1 }).where('id', '=', owner).execute(),
    410,
    'paused',
  ],
  ['is turned off with all others', () => (queries) => writeSettings(queries, { request_links_enabled: false }), 410, 'paused'],
])('stores nothing that is sent through a link that %s meanwhile', async (_what, change, status, code) => {
  const { names, id } = await newVictim();
  const result = await sendForm(`/r/${names.link}/upload`, {}, {}, () => note(change(names.link ?? '', id)));
  await note((queries) => writeSettings(queries, { request_links_enabled: true }));
  expect(result).toEqual({ status, code, stored: 0 });
});

it('creates no account once registration has been closed', async () => {
  await context.settings.change('note', { registration_mode: 'open' });
  beforeUnit = async () => void (await note((queries) => writeSettings(queries, { registration_mode: 'closed' })));
  const body = { username: 'newcomer', email: 'newcomer@example.org', password: PASSWORD };
  const response = await rawRequest(`${url}${API_PREFIX}/auth/register`, { method: 'POST', body });
  beforeUnit = async () => undefined;
  const found = await db.read.selectFrom('users').select('id').where('username', '=', 'newcomer').execute();
  expect([response.status, response.code, found]).toEqual([403, 'forbidden', []]);
});

it('gives an upload the expiry and view limit that its group has come to ask for meanwhile', async () => {
  const victim = await newVictim();
  const group = await db.read.selectFrom('groups').selectAll().where('kind', '=', 'default').executeTakeFirstOrThrow();
  const change = () => setGroup('default', { max_expires_in: 60, max_max_views: 5 });
  const { status } = await sendForm('/upload', { cookie: victim.cookie }, { expires_in: '0', max_views: '0' }, change);
  await setGroup('default', group);
  const image = await db.read.selectFrom('images').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
  expect([status, image.max_views, image.expires_at !== null]).toEqual([200, 5, true]);
});

it('returns no earlier upload to a session that has ended while the same picture arrived again', async () => {
  const victim = await newVictim();
  const sending = await sendingOf(operations.find(({ name }) => name === 'POST /upload') as Operation, victim, { cookie: victim.cookie });
  const [upload] = operations.filter(({ name }) => name === 'POST /upload') as [Operation];
  expect(await send(upload, victim, sending)).toBe(200);
  expect(await send(upload, victim, sending, () => WAYS['session ended'](victim).then(() => undefined))).toBe(401);
});
