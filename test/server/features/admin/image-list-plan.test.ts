import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allImagesQuery } from '#server/features/admin/images.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { encodeCursor } from '#server/platform/db/page.ts';

let db: Database;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixdock-test-'));
  db = await openDatabase(join(folder, 'pixdock.db'));
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

async function planOf(filter: Partial<Parameters<typeof allImagesQuery>[1]>): Promise<string> {
  const steps = await allImagesQuery(db, { state: 'live', limit: 50, ...filter }).explain(undefined, sql`query plan`);
  return (steps as { detail: string }[]).map(({ detail }) => detail).join('\n');
}

const cursorFor = (filter: object) => encodeCursor('user_id' in filter || 'guests' in filter || 'state' in filter ? [5, 9] : [9]);

it.each([
  ['all users’', {}],
  ['one user’s', { user_id: 1 }],
  ['guests’', { guests: 'true' as const }],
  ['the trash', { state: 'trash' as const }],
  ['one user’s trash', { state: 'trash' as const, user_id: 1 }],
])('lists pictures without sorting: %s, first page and deep', async (_name, filter) => {
  for (const plan of [await planOf(filter), await planOf({ ...filter, cursor: cursorFor(filter) })])
    expect(plan).not.toMatch(/TEMP B-TREE/);
});

it('starts a deep page where the previous one ended', async () => {
  expect(await planOf({ cursor: cursorFor({}) })).toMatch(/SEARCH images USING INTEGER PRIMARY KEY \(rowid<\?\)/);
  expect(await planOf({ cursor: encodeCursor([5, 9]), user_id: 1 })).toMatch(/images_by_upload \(owner_id=\? AND /);
  expect(await planOf({ cursor: encodeCursor([5, 9]), state: 'trash' })).toMatch(/images_trashed \(deleted_at[<>]/);
});
