import { join } from 'node:path';
import { createAlbum } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import { SENDER_HEADER } from '#api/constants.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { addReceived, send } from '#api/sent.ts';
import { type Migrated, migrate } from '#server/features/migrate/migrate.ts';
import type { Destination } from '#server/features/migrate/storages.ts';
import { COPIED_TABLES, digestTable } from '#server/platform/db/copy-tables.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { askForPictures, sendThrough } from '#test/helpers/service/requests.ts';
import { setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';
import { setLooks } from './looks.ts';
import { addUser, withDatabase } from './users.ts';

/** A stopped service on SQLite with pictures, an album, tags, a password, an avatar, a logo, a member of the album, pictures that were sent to them, a request link that was used, and a number that isn't assigned again. */
export async function startLibrary() {
  const service = await startTestService({ databaseUrl: undefined });
  const owner = await setUp(service);
  const token = await owner.token('full');
  const { id: album_id } = await owner.client.call(createAlbum, { body: { name: 'Sea \u{1f30a} 海' } });
  const looks = await setLooks(owner);
  const request = await askForPictures(owner);
  const { status, message } = await sendThrough(service.url, request.id, tinyPng(1), {
    headers: { [SENDER_HEADER]: 'a-sender-of-pictures' },
  });
  if (status !== 200) throw new Error(message);
  const images: Uploaded[] = [];
  const options: Record<string, string>[] = [{ tags: 'travel,sea', album_id }, { access_password: 'sesame' }, { album_id }, {}];
  for (const [index, fields] of options.entries())
    images.push(await uploadImage(service, token, await photoJpeg({ seed: index }), fields, `${index}.jpg`));
  const last = images.pop() as Uploaded;
  const mia = await addUser(service, 'mia');
  await owner.client.call(putMember, { params: { id: album_id }, body: { username: 'mia', role: 'contributor' } });
  const { id: sent_id } = await owner.client.call(send, {
    body: { keys: images.map(({ key }) => key), to: [{ username: 'mia' }], message: 'Look \u{1f30a}' },
  });
  const album = await mia.client.call(createAlbum, { body: { name: 'From others' } });
  await mia.client.call(addReceived, { params: { id: album.id }, body: { sent_id, keys: images.slice(0, 1).map(({ key }) => key) } });
  await service.stop();
  await withDatabase(service, (db) => db.as('job').write((queries) => queries.deleteFrom('images').where('key', '=', last.key).execute()));
  return { service, images, looks };
}

type Place = { dataDir: string; databaseUrl?: string; secrets?: string };

/** Migrates as the command does; returns also the steps and what was reported as lost. */
export async function runMigration(
  from: Place,
  to: Place,
  destination: Destination = 'unchanged',
  signal = new AbortController().signal,
  onProgress: () => void = () => undefined,
): Promise<Migrated & { steps: string[]; sentences: string[] }> {
  const steps: string[] = [];
  const sentences: string[] = [];
  const reporting = { onStart: (step: string) => void steps.push(step), onProgress, onLost: (text: string) => void sentences.push(text) };
  return { ...(await migrate(from, to, destination, { signal, reporting })), steps, sentences };
}

/** A hash of each table. */
export async function digests({ dataDir, databaseUrl }: Place): Promise<Record<string, string>> {
  const db = await openDatabase(databaseUrl ?? join(dataDir, 'pixdock.db'));
  try {
    const watch = { signal: new AbortController().signal, onRows: () => undefined };
    const found: Record<string, string> = {};
    for (const table of COPIED_TABLES) {
      const { rows, sha256 } = await digestTable(db.read, table, { change: (_table, row) => row, ...watch });
      found[table] = `${rows} ${sha256}`;
    }
    return found;
  } finally {
    await db.close();
  }
}
