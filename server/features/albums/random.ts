import { randomInt } from 'node:crypto';
import { openImages, type Visitor } from '#server/core/albums/open-images.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';

/** Entries that are tried before the choice is made among the newest pictures that open. */
const TRIES = 8;
const NEWEST = 500;

/** Any picture of an album that this visitor can open, each with the same chance where nearly all of them do; undefined: there is none. */
export async function randomImage(queries: Queries, album: AlbumRow, visitor: Visitor): Promise<ImageRow | undefined> {
  const open = openImages(queries, album.id, visitor);
  const entries = queries.selectFrom('album_images').where('album_id', '=', album.id);
  const { count } = await entries.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  // Without the pictures, the index has all that is read.
  for (let tries = 0; tries < TRIES && Number(count) > NEWEST; tries += 1) {
    const entry = await entries
      .select('image_id')
      .orderBy('position')
      .limit(1)
      .offset(randomInt(Number(count)))
      .executeTakeFirst();
    const image = entry && (await open.selectAll('images').where('images.id', '=', entry.image_id).executeTakeFirst());
    if (image) return image;
  }
  const newest = await open.select('images.id').orderBy('position', 'desc').limit(NEWEST).execute();
  const chosen = newest.length === 0 ? undefined : newest[randomInt(newest.length)];
  return chosen && open.selectAll('images').where('images.id', '=', chosen.id).executeTakeFirst();
}
