import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase, openSnapshot, type Queries } from '#server/platform/db/database.ts';
import { inspectDatabase } from '#server/platform/db/files.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';

const TABLES = [
  'users',
  'groups',
  'policies',
  'albums',
  'images',
  'image_tags',
  'blobs',
  'sessions',
  'tokens',
  'audit',
  'settings',
] as const;

async function rowsOf(read: Queries) {
  const rows = TABLES.map((table) => read.selectFrom(table).selectAll().execute());
  return (await Promise.all(rows)).map((table) => table.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort());
}

it('copies everything into a database file, with the same tables as a new one', async () => {
  await using service = await startTestService();
  const token = await (await setUp(service)).token('full');
  for (const width of [10, 20, 30]) await uploadImage(service, token, await photoJpeg({ width }), { tags: 'travel,sea' });
  await service.stop(); // its jobs change rows
  const folder = temporaryFolder();
  const [copy, fresh] = [join(folder, 'copy.db'), join(folder, 'fresh.db')];
  await withDatabase(service, async (db) => {
    await db.as('job').write((queries) => queries.deleteFrom('images').where('id', '=', 3).execute());
    await db.snapshot(copy);
    const file = openSnapshot(copy);
    expect(await rowsOf(file.read)).toEqual(await rowsOf(db.read));
    await file.close();
  });
  await (await openDatabase(fresh)).close();
  expect(inspectDatabase(copy)).toEqual(inspectDatabase(fresh));
  const restored = await openDatabase(copy);
  const { id } = await restored.as('job').write(async (queries) => {
    const row = await queries.selectFrom('images').selectAll().limit(1).executeTakeFirstOrThrow();
    return queries
      .insertInto('images')
      .values({ ...row, id: undefined, key: 'another' })
      .returning('id')
      .executeTakeFirstOrThrow();
  });
  expect(id).toBe(4);
  await restored.close();
});

it('isn’t restored over a database server', async () => {
  await using service = await startTestService();
  const owner = await setUp(service);
  const headers = { 'content-type': 'application/x-tar' };
  const response = await owner.fetch('/api/v1/admin/restore', { method: 'POST', headers, body: 'a backup' });
  expect([response.status, await response.json()]).toMatchObject([409, { message: expect.stringContaining('PIXDOCK_DATABASE_URL') }]);
});
