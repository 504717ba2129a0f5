import { join } from 'node:path';
import { runScheduledBackup } from '#api/admin/backup.ts';
import { runCleanUp } from '#api/admin/system.ts';
import { ApiError } from '#api/client.ts';
import { updateImage } from '#api/images/changes.ts';
import { trashImage } from '#api/images/images.ts';
import { purgeTrash, restoreTrash } from '#api/images/trash.ts';
import { openSession, SESSION_COOKIE } from '#server/core/accounts/sessions.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type ChildService, startChildService } from '#test/helpers/service/child-service.ts';
import { type SignedIn, signedIn } from '#test/helpers/service/service.ts';
import type { Model, Picture } from './model.ts';
import type { Random } from './random.ts';

let number = 0;

/** Starts the built service and signs in as its owner: a restore ends the sessions before. */
export async function startAsOwner(dataDir: string): Promise<{ service: ChildService; owner: SignedIn }> {
  const service = await startChildService(dataDir);
  const db = await openDatabase(join(dataDir, 'pixdock.db'));
  const { secret } = await db.as('job').write((queries) => openSession(queries, 1, { address: '127.0.0.1', userAgent: 'test' }));
  await db.close();
  return { service, owner: signedIn(service, `${SESSION_COOKIE}=${secret}`) };
}

/** A form with a picture that is different from all others. */
async function form(): Promise<FormData> {
  const body = new FormData();
  // With metadata to remove, and each different: the service would return the existing picture for known bytes.
  const bytes = await photoJpeg({ width: 120, height: 80, seed: ++number, gps: true });
  body.append('file', new Blob([new Uint8Array(bytes)]), `${number}.jpg`);
  return body;
}

/** Sends a form, and returns the response's data, such as the picture. Rejects with the response if it's a refusal. */
export async function send<T = { key: string; sha256: string }>(
  { fetch }: Pick<SignedIn, 'fetch'>,
  method: string,
  path: string,
  { body, headers = {} }: { body?: FormData; headers?: Record<string, string> } = {},
): Promise<T> {
  const response = await fetch(`/api/v1${path}`, { method, headers, body: body ?? (await form()) });
  const text = await response.text();
  if (!response.ok) throw new Refused(`${method} ${path}`, response.status, text);
  return JSON.parse(text).data;
}

/** The service has responded, but not as it should. */
export class Refused extends Error {
  readonly status: number;
  readonly code: unknown;

  constructor(request: string, status: number, body: string) {
    super(`${request}: ${body}`);
    this.status = status;
    this.code = JSON.parse(body).data?.code;
  }
}

/** A request that changes a random picture. Returns false if there is none for it. */
type Operation = (owner: SignedIn, model: Model<Picture>, random: Random) => Promise<boolean>;

const on =
  (place: Picture['place'], change: (key: string, owner: SignedIn, model: Model<Picture>) => Promise<true>): Operation =>
  async (owner, model, random) => {
    const keys = model.keysIn(place);
    return keys.length > 0 && change(random.pick(keys), owner, model);
  };

export const OPERATIONS = {
  async upload(owner, model) {
    const { key, sha256 } = await send(owner, 'POST', '/upload');
    model.added(key, { place: 'library', sha256 });
    return true;
  },
  trash: on('library', (key, { client }, model) =>
    model.change(key, { place: 'trash' }, async () => void (await client.call(trashImage, { params: { key } }))),
  ),
  rename: on('library', (key, { client }, model) => {
    const name = `${++number}.jpg`;
    return model.change(key, { name }, async () => void (await client.call(updateImage, { params: { key }, body: { name } })));
  }),
  replace: on('library', (key, owner, model) =>
    model.change(key, { sha256: undefined, name: undefined }, async () => {
      const { sha256 } = await send(owner, 'PUT', `/images/${key}/file`);
      return { sha256 };
    }),
  ),
  restore: on('trash', (key, { client }, model) =>
    model.change(key, { place: 'library' }, async () => void (await client.call(restoreTrash, { body: { keys: [key] } }))),
  ),
  purge: on('trash', (key, { client }, model) =>
    model.change(key, { place: 'nowhere' }, async () => void (await client.call(purgeTrash, { body: { keys: [key] } }))),
  ),
} satisfies Record<string, Operation>;

/** Backs up to the folder of the schedule, or removes unused files. Returns whether it could: not while a backup runs. */
export async function maintain({ client }: SignedIn, what: 'backup' | 'clean-up'): Promise<boolean> {
  const request = what === 'backup' ? client.call(runScheduledBackup, {}) : client.call(runCleanUp, { body: { what: 'unused' } });
  return request.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError && error.details.problem === 'backup_running') return false;
      throw error;
    },
  );
}

/** One random request that changes pictures. */
export function operate(owner: SignedIn, model: Model<Picture>, random: Random): Promise<boolean> {
  const kind = random.below(12);
  if (kind < 6 && model.keysIn('library').length > 5)
    return OPERATIONS[kind < 2 ? 'trash' : kind < 4 ? 'rename' : 'replace'](owner, model, random);
  if (kind < 8 && model.keysIn('trash').length > 0) return OPERATIONS[kind === 6 ? 'restore' : 'purge'](owner, model, random);
  return OPERATIONS.upload(owner, model);
}
