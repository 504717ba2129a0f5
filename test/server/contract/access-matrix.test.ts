import { describe, expect, it } from 'vitest';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { createAlbum } from '#api/albums/albums.ts';
import { createToken, type TokenScope } from '#api/auth/tokens.ts';
import { listSessions } from '#api/auth/user.ts';
import { API_PREFIX } from '#api/constants.ts';
import { trashImage } from '#api/images/images.ts';
import { send as sendPictures } from '#api/sent.ts';
import { createRequest } from '#api/sharing/requests.ts';
import { openSession, SESSION_COOKIE } from '#server/core/accounts/sessions.ts';
import { textOf } from '#test/helpers/network/event-stream.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { signedIn, uploadImage } from '#test/helpers/service/service.ts';
import { CALLERS, type Caller, MATRIX, type Outcome, type Row } from './access-matrix.ts';
import { good, KEY, type Schema } from './inputs.ts';

interface Operation {
  name: string;
  path: string;
  method: string;
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** In all texts of the user's own, and in nothing that others may see. */
const MARK = 'only-ursula';
/** Names no resource. */
const NO_ID = '999999';

const { service, owner } = await startFileService();
const document = await (await fetch(`${service.url}${API_PREFIX}/openapi.json`)).json();
const operations: Operation[] = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
  Object.entries(methods).map(([verb, operation]) => {
    const method = verb.toUpperCase();
    return { ...operation, path, method, name: `${method} ${path.slice(API_PREFIX.length)}` };
  }),
);

const user = await addUser(service, 'ursula');
const second = await addUser(service, 'second');
const admin = await addUser(service, 'admin', 'admin');
const leaving = await addUser(service, 'leaving', 'admin');
const tokens = {
  upload: await user.token('upload'),
  device: await user.token('device'),
  full: await user.token('full'),
  metrics: await admin.token('metrics'),
};

type Headers = Record<string, string>;
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const HEADERS: Record<Caller, Headers> = {
  anonymous: {},
  guest: {},
  second: { cookie: second.cookie },
  owner: { cookie: owner.cookie },
  admin: { cookie: admin.cookie },
  'metrics token': bearer(tokens.metrics),
  'upload token': bearer(tokens.upload),
  'device token': bearer(tokens.device),
  'full token': bearer(tokens.full),
  user: { cookie: user.cookie },
};

/** What a request names. */
interface Resources {
  key: string;
  /** The key of a picture in the trash. */
  trashed: string;
  album: string;
  /** A request link of the album. */
  request: string;
  /** What she has sent. */
  sent: string;
  token: string;
  session: string;
}

/** A session of an account, opened beside the service. */
const openSessionOf = (userId: number) =>
  withDatabase(service, async (db) => {
    const { secret } = await db.as('job').write((queries) => openSession(queries, userId, { address: '127.0.0.1', userAgent: MARK }));
    return { cookie: `${SESSION_COOKIE}=${secret}` };
  });

let number = 0;
/** New resources of the user's. */
async function newResources(): Promise<Resources> {
  const upload = () => uploadImage(service, tokens.full, tinyPng(++number), { visibility: 'private', title: MARK }, `${MARK}.png`);
  const [{ key }, { key: trashed }] = [await upload(), await upload()];
  await user.client.call(trashImage, { params: { key: trashed } });
  const album = await user.client.call(createAlbum, { body: { name: MARK } });
  const token = await user.client.call(createToken, { body: { name: MARK, scope: 'full' } });
  const request = await user.client.call(createRequest, { params: { id: album.id }, body: { title: MARK, show: 'none', max_files: 1000 } });
  const sent = await user.client.call(sendPictures, { body: { keys: [key], to: [{ username: 'leaving' }], message: MARK } });
  await openSessionOf(user.id);
  const [session] = (await user.client.call(listSessions, { query: { limit: 1 } })).items;
  return { key, trashed, album: album.id, request: request.id, sent: sent.id, token: token.id, session: session?.id ?? '' };
}

/** A new session or token of an account without resources, for requests that end their own. */
async function newCredentials(caller: Caller): Promise<Headers> {
  if (caller === 'anonymous' || caller === 'guest') return {};
  const session = await openSessionOf(leaving.id);
  if (!caller.endsWith('token')) return { cookie: session.cookie };
  return bearer(await signedIn(service, session.cookie).token(caller.split(' ')[0] as TokenScope));
}

/** Where an operation's `id` comes from; elsewhere it is that of nothing. */
const ID_OF: Record<string, keyof Resources> = {
  '/albums/': 'album',
  '/a/': 'album',
  '/sent/': 'sent',
  '/user/tokens/': 'token',
  '/user/sessions/': 'session',
};

function parameterOf({ path }: Operation, name: string, resources: Resources): string {
  if (name === 'version') return resources.trashed;
  if (name === 'request') return resources.request;
  if (name === 'key') return path.includes('/trash/') ? resources.trashed : resources.key;
  const [, of] = Object.entries(ID_OF).find(([start]) => path.startsWith(`${API_PREFIX}${start}`)) ?? [];
  return name === 'id' && of ? resources[of] : NO_ID;
}

function urlOf(operation: Operation, resources: Resources): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => parameterOf(operation, name, resources));
  const query = operation.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  return `${service.url}${path}?${new URLSearchParams(query.map(({ name, schema }) => [name, String(good(schema))]))}`;
}

/** The least that the schema accepts, so that settings stay what they are; lists of pictures name the user's. */
function bodyOf({ name, requestBody }: Operation, resources: Resources): { body?: BodyInit; headers?: Headers } {
  const json = requestBody?.content['application/json'];
  if (json) {
    const body = BODIES[name] ?? required(json.schema);
    return { body: JSON.stringify(body).replaceAll(KEY, resources.key), headers: { 'content-type': 'application/json' } };
  }
  if (!requestBody?.content['multipart/form-data']) return {};
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(tinyPng(++number))]), 'new.png');
  return { body: form };
}

/** Bodies that reach no other computer and turn nothing on. */
const BODIES: Record<string, object> = {
  'POST /upload/url': { url: 'http://127.0.0.1/' },
  'POST /admin/policies/test': {},
  'PUT /albums/{id}/members': { username: 'second', role: 'viewer' },
  'POST /sent': { keys: [KEY], to: [{ username: 'second' }] },
  'PUT /admin/oidc': { enabled: false, issuer: '', client_id: '' },
};

function required(schema: Schema): unknown {
  const option = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (option) return required(option);
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => name === 'keys' || schema.required?.includes(name));
  return Object.fromEntries(properties.map(([name, property]) => [name, good(property)]));
}

/** What a response grants. A 404 is a refusal only where the request names a resource of the user's. */
function outcomeOf(status: number, code: string | undefined, isOwn: boolean): Outcome {
  if (code === 'unauthorized') return 401;
  if (code === 'forbidden' || code === 'guest_disabled') return 403;
  return isOwn && status === 404 ? 404 : 'in';
}

const namesResource = (row: Row) => Object.values(row.outcomes).includes(404);

async function send(operation: Operation, row: Row, resources: Resources, headers: Headers) {
  const { body, headers: typed } = bodyOf(operation, resources);
  const response = await fetch(urlOf(operation, resources), {
    method: operation.method,
    redirect: 'manual',
    headers: { ...typed, ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await textOf(response);
  const code = response.status >= 400 ? (JSON.parse(text) as { data: { code: string } }).data.code : undefined;
  return { outcome: outcomeOf(response.status, code, namesResource(row)), text };
}

/** @param own what a caller uses up is made for it; otherwise all requests name the same */
async function outcomes(caller: Caller, shared: Resources, own = false): Promise<Record<string, Outcome>> {
  const result: Record<string, Outcome> = {};
  for (const operation of operations) {
    const row = MATRIX[operation.name];
    if (!row) continue;
    const resources = own && row.uses === 'resource' && row.outcomes[caller] === 'in' ? await newResources() : shared;
    const headers = row.uses === 'credentials' ? await newCredentials(caller) : HEADERS[caller];
    const { outcome, text } = await send(operation, row, resources, headers);
    result[operation.name] = outcome;
    if (!SEES_ALL.includes(caller)) expect([operation.name, text.includes(MARK)]).toEqual([operation.name, false]);
  }
  return result;
}

/** The user, and admins, who may list all pictures. */
const SEES_ALL: Caller[] = ['user', 'full token', 'owner', 'admin'];

/** Everything that belongs to the user. */
const belongings = () =>
  withDatabase(service, async ({ read }) => ({
    images: (await read.selectFrom('images').selectAll().where('owner_id', '=', user.id).execute()).map(
      // Computed later, by the service itself.
      ({ thumbhash: _, phash: __, ...image }) => image,
    ),
    requests: await read.selectFrom('request_links').selectAll().where('owner_id', '=', user.id).execute(),
    sent: await read.selectFrom('sendings').selectAll().where('sender_id', '=', user.id).execute(),
    albums: await read.selectFrom('albums').selectAll().where('owner_id', '=', user.id).execute(),
    tokens: await read.selectFrom('tokens').select(['id', 'name', 'scope']).where('user_id', '=', user.id).execute(),
    sessions: await read.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute(),
    account: await read
      .selectFrom('users')
      .select(['username', 'email', 'password_hash', 'role', 'disabled_at'])
      .where('id', '=', user.id)
      .execute(),
  }));

const expected = (caller: Caller) => Object.fromEntries(Object.entries(MATRIX).map(([name, row]) => [name, row.outcomes[caller]]));

it('has a row for every operation of the OpenAPI document, and no other', () => {
  expect(Object.keys(MATRIX).toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
});

describe('access to every operation', async () => {
  const shared = await newResources();

  // Those who may change nothing of the user's come first.
  it.each(['anonymous', 'guest', 'second', 'metrics token'] as const)('of %s, which leaves the user’s data unchanged', async (caller) => {
    if (caller === 'guest') await letGuestsUpload();
    const before = await belongings();
    expect(await outcomes(caller, shared)).toEqual(expected(caller));
    expect(await belongings()).toEqual(before);
  });

  it.each(CALLERS.slice(4))('of %s', async (caller) => {
    expect(await outcomes(caller, await newResources(), true)).toEqual(expected(caller));
  });
});

async function letGuestsUpload() {
  await owner.client.call(changeAdminSettings, { body: { guest_upload_enabled: true } });
}
