import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Updateable } from 'kysely';
import type { Uploaded } from '#api/images/upload.ts';
import type { ServiceConfig } from '#server/platform/config/config.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type AddedUser, addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startTestService, type TestService, uploadImage } from './service.ts';

/** A stand-in for the web application's built page. */
const PAGE = '<!doctype html><html><head><title>Pixdock</title></head><body><div id="root"></div></body></html>';

/** The users in tests of links, shares and albums. `bea` owns the pictures, `cleo` is another user, `admin` an administrator. */
export interface Sharing {
  service: TestService;
  url: string;
  admin: AddedUser;
  bea: AddedUser;
  cleo: AddedUser;
  /** Headers of all clients without special access to bea's pictures. */
  strangers: Record<string, Record<string, string>>;
  /** Headers of bea, for every way to sign in. */
  owners: Record<string, Record<string, string>>;
  /** Uploads a new, unique picture of bea's. */
  upload(fields?: Record<string, string>, name?: string): Promise<Uploaded>;
  /** Changes a picture's row behind the service's back. Only for pictures without views yet. */
  alter(key: string, columns: Updateable<Tables['images']>): Promise<void>;
  /** The number of stored views; those of view-limited pictures are stored immediately. */
  viewsOf(key: string): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startSharing(options: Partial<ServiceConfig> = {}): Promise<Sharing> {
  const webRoot = await mkdtemp(join(tmpdir(), 'pixdock-page-'));
  for (const name of ['index', 'share', 'album', 'request']) await writeFile(join(webRoot, `${name}.html`), PAGE);
  const service = await startTestService({ webRoot, ...options });
  const admin = await addUser(service, 'ada', 'admin');
  const bea = await addUser(service, 'bea');
  const cleo = await addUser(service, 'cleo');
  const [full, uploadOnly, foreign] = [await bea.token('full'), await bea.token('upload'), await cleo.token('full')];
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  let seed = 0;
  return {
    service,
    url: service.url,
    admin,
    bea,
    cleo,
    strangers: {
      'a guest': {},
      'another user by session': { cookie: cleo.cookie },
      'another user by full token': bearer(foreign),
      "the owner's upload token": bearer(uploadOnly),
    },
    owners: { 'the owner by session': { cookie: bea.cookie }, 'the owner by full token': bearer(full) },
    upload: async (fields = {}, name) => uploadImage(service, full, await photoJpeg({ seed: ++seed, width: 80, height: 60 }), fields, name),
    alter: (key, columns) =>
      withDatabase(service, async (db) => {
        await db.as('job').write((queries) => queries.updateTable('images').set(columns).where('key', '=', key).executeTakeFirstOrThrow());
      }),
    viewsOf: (key) =>
      withDatabase(service, async (db) => {
        return (await db.read.selectFrom('images').select('views').where('key', '=', key).executeTakeFirstOrThrow()).views;
      }),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await rm(webRoot, { recursive: true, force: true });
    },
  };
}

/** The body of an error or success in the envelope. */
export async function dataOf(response: Response): Promise<Record<string, unknown>> {
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

/** Sends JSON with the given headers. */
export function sendJson(url: string, method: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
}
