import { senderHash } from '#server/core/requests/sent-files.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { keysetPage, type Order, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { RequestLinkRow } from '#server/platform/db/schema/requests.ts';

type Shown = Pick<RequestLinkRow, 'id' | 'album_id' | 'owner_id' | 'show'>;

const LATEST_FIRST: Order = { direction: 'desc', columns: { sent_at: 'number', id: 'string' } };

/**
 * The files of a link that a sender may see, with their images: live, in the album, as they were sent, and neither protected nor view-limited.
 * @param secret the sender's
 */
function shownFiles(queries: Queries, { id, album_id, owner_id, show }: Shown, secret: string | undefined) {
  const hash = senderHash(secret);
  const shown = queries
    .selectFrom('request_files')
    .innerJoin('request_batches', 'request_batches.id', 'request_files.batch_id')
    .innerJoin('images', 'images.id', 'request_files.image_id')
    .innerJoin('album_images', (join) => join.onRef('album_images.image_id', '=', 'images.id').on('album_images.album_id', '=', album_id))
    .where('request_id', '=', id)
    .where('images.owner_id', '=', owner_id)
    .where('deleted_at', 'is', null)
    .where('emptied_at', 'is', null)
    .where((row) => row.or([row('images.expires_at', 'is', null), row('images.expires_at', '>', Date.now())]))
    .where('replaced_at', 'is', null)
    .where('password_hash', 'is', null)
    .where('max_views', '=', 0);
  if (show === 'all') return shown;
  return show === 'own' && hash !== null ? shown.where('sender_hash', '=', hash) : shown.where((row) => row.lit(false));
}

/** What a link shows to a sender, the latest first. */
export async function listShown(
  queries: Queries,
  link: Shown,
  secret: string | undefined,
  page: PageRequest,
): Promise<Page<{ id: string; name: string; own: boolean }>> {
  const files = shownFiles(queries, link, secret).select([
    'request_files.id as id',
    'request_files.name as name',
    'request_files.sent_at as sent_at',
    'sender_hash',
  ]);
  const { items, next_cursor } = await keysetPage(queries.selectFrom(files.as('files')).selectAll(), LATEST_FIRST, page);
  const own = senderHash(secret);
  return { items: items.map(({ id, name, sender_hash }) => ({ id, name, own: own !== null && sender_hash === own })), next_cursor };
}

/** The image behind one of them; undefined if the sender may not see it. */
export function findShown(queries: Queries, link: Shown, file: string, secret: string | undefined) {
  return shownFiles(queries, link, secret)
    .where('request_files.id', '=', file)
    .select(['images.policy_id', 'images.sha256', 'images.emptied_at'])
    .executeTakeFirst();
}
