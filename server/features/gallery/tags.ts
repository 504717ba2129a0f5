import type { Database } from '#server/platform/db/database.ts';
import { keysetPage, type Order, type PageRequest } from '#server/platform/db/page.ts';

const ALPHABETICAL: Order = { direction: 'asc', columns: { tag: 'string' } };

/** A user's tags with the number of images outside the trash, in alphabetical order. */
export function listOwnTags(db: Database, ownerId: number, page: PageRequest) {
  const query = db.read
    .selectFrom('image_tags')
    .innerJoin('images', 'images.id', 'image_tags.image_id')
    .select((row) => ['tag', row.fn.countAll<number>().as('image_count')])
    .where('image_tags.owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where('emptied_at', 'is', null)
    .groupBy('tag');
  return keysetPage(query, ALPHABETICAL, page);
}
