import { join } from 'node:path';
import { updateImage } from '#api/images/changes.ts';
import { trashImage } from '#api/images/images.ts';
import { purgeTrash, restoreTrash } from '#api/images/trash.ts';
import { openSession, SESSION_COOKIE } from '#server/core/accounts/sessions.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type ChildService, startChildService } from '#test/helpers/service/child-service.ts';
import { type SignedIn, signedIn } from '#test/helpers/service/service.ts';
import type { Model } from './model.ts';
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

async function form(): Promise<FormData> {
  const body = new FormData();
  // With metadata to remove, and each different: the service would return the existing picture for known bytes.
  const bytes = await photoJpeg({ width: 120, height: 80, seed: ++number, gps: true });
  body.append('file', new Blob([new Uint8Array(bytes)]), `${number}.jpg`);
  return body;
}

/** Sends a form, and returns the picture. Rejects with the response if it's a refusal. */
async function send(owner: SignedIn, method: string, path: string): Promise<{ key: string; sha256: string }> {
  const response = await owner.fetch(`/api/v1${path}`, { method, body: await form() });
  const text = await response.text();
  if (!response.ok) throw new Refused(`${method} ${path}: ${text}`);
  return JSON.parse(text).data;
}

/** The service has responded, but not as it should. */
export class Refused extends Error {}

/** One random request that changes pictures. */
export async function operate(owner: SignedIn, model: Model, random: Random): Promise<void> {
  const { client } = owner;
  const kind = random.below(12);
  const [library, trash] = [model.keysIn('library'), model.keysIn('trash')];
  if (kind < 6 && library.length > 5) {
    const key = random.pick(library);
    if (kind < 2) return model.change(key, { place: 'trash' }, async () => void (await client.call(trashImage, { params: { key } })));
    if (kind < 4) {
      const name = `${++number}.jpg`;
      return model.change(key, { name }, async () => void (await client.call(updateImage, { params: { key }, body: { name } })));
    }
    return model.change(key, { sha256: undefined, name: undefined }, async () => (await send(owner, 'PUT', `/images/${key}/file`)).sha256);
  }
  if (kind < 8 && trash.length) {
    const key = random.pick(trash);
    const body = { keys: [key] };
    if (kind === 6) return model.change(key, { place: 'library' }, async () => void (await client.call(restoreTrash, { body })));
    return model.change(key, { place: 'nowhere' }, async () => void (await client.call(purgeTrash, { body })));
  }
  const { key, sha256 } = await send(owner, 'POST', '/upload');
  model.stored(key, sha256);
}
