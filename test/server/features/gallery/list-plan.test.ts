import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IMAGE_SORTS } from '#api/images/images.ts';
import { ownImages } from '#server/core/images/images.ts';
import { type ImageFilter, ownImagesQueries } from '#server/features/gallery/list-query.ts';
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

/** The database's query plan of the list, one line per step. */
async function planOf(filter: Partial<ImageFilter> & { ids?: number[]; upTo?: number }): Promise<string> {
  const queries = ownImagesQueries(db, 1, { sort: 'uploaded_desc', limit: 50, ...filter }, Date.now());
  const steps = await Promise.all(queries.map((query) => query.explain(undefined, sql`query plan`)));
  return (steps.flat() as { detail: string }[]).map(({ detail }) => detail).join('\n');
}

it.each(IMAGE_SORTS)('reads only its page when sorted by %s, first and deep', async (sort) => {
  expect(await planOf({ sort })).toMatch(/^SEARCH images USING INDEX images_by_\w+ \(owner_id=\?\)$/);
  const deep = await planOf({ sort, cursor: encodeCursor([sort === 'name_asc' ? 'x' : 5, 9]) });
  expect(deep).toMatch(
    /^SEARCH images USING INDEX (\w+) \(owner_id=\? AND (\w+)=\? AND id[<>]\?\)\nSEARCH images USING INDEX \1 \(owner_id=\? AND \2[<>]\?\)$/,
  );
});

it('walks the list in order, up to a given moment', async () => {
  expect(await planOf({ sort: 'uploaded_asc', upTo: 9 })).toMatch(/^SEARCH images USING INDEX images_by_\w+ \(owner_id=\?\)$/);
});

it.each(['uploaded_desc', 'taken_asc'] as const)('reads the timeline from the index alone, sorted by %s', async (sort) => {
  const queries = ownImagesQueries(db, 1, { sort, limit: 4_000, cursor: encodeCursor([5, 9]) }, Date.now());
  const column = sort.startsWith('taken') ? 'taken_at' : 'created_at';
  for (const query of queries) {
    const steps = await query.clearSelect().select(['id', column, 'width', 'height']).explain(undefined, sql`query plan`);
    expect((steps as { detail: string }[]).map(({ detail }) => detail).join()).toMatch(
      /^SEARCH images USING COVERING INDEX images_by_\w+ /,
    );
  }
});

it('reads only the pictures of a batch', async () => {
  for (const [column, values] of [
    ['key', Array.from({ length: 500 }, (_, index) => `key${index}`)],
    ['id', Array.from({ length: 500 }, (_, index) => index)],
  ] as const) {
    const steps = await ownImages(db.read, 1, column, values).explain(undefined, sql`query plan`);
    expect((steps as { detail: string }[]).map(({ detail }) => detail).join()).toMatch(/^SEARCH images USING [\w ]+ \((key|rowid)=\?\)$/);
  }
});

it('reads only the rows between two cursors', async () => {
  expect(await planOf({ cursor: encodeCursor([9, 9]), until: encodeCursor([5, 9]) })).toMatch(/created_at>\? AND created_at<\?\)$/);
});

it('uses the album, the favourites, the tag or the words as requested', async () => {
  expect(await planOf({ album_id: 'AAAAAAAAAA' })).toMatch(/USING INDEX images_by_album \(album_id=\?/);
  expect(await planOf({ favourite: true })).toMatch(/USING INDEX images_favourite/);
  expect(await planOf({ tag: 'x' })).toMatch(/image_tags USING .*\(owner_id=\? AND tag=\?/);
  expect(await planOf({ q: 'word' })).toMatch(/image_search VIRTUAL TABLE INDEX \d+:M/);
});

it('goes straight to the few pictures that match a search', async () => {
  expect(await planOf({ ids: [1, 2, 3] })).toMatch(/SEARCH images USING INTEGER PRIMARY KEY \(rowid=\?\)/);
});

it('reads only its page of an album', async () => {
  expect(await planOf({ album_id: 'AAAAAAAAAA', cursor: encodeCursor([5, 9]) })).not.toMatch(/SCAN|TEMP B-TREE/);
});
