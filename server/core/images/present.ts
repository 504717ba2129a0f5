import type { Image } from '#api/images/images.ts';
import type { OpenShare } from '#api/sharing/shares.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { readList } from '#server/platform/db/lists.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { viewsLeft } from './access.ts';
import { entriesOf } from './album-entries.ts';
import type { Links } from './links.ts';

/** An image for its owner and for webhooks, without anything that bypasses its access rules. */
export function describeImage(row: ImageRow) {
  const { key, slug, name, title, caption, alt, ext, mime, size, width, height, sha256, visibility, album_id, max_views } = row;
  const [has_password, expires_at, created_at] = [row.password_hash !== null, toInstant(row.expires_at), toInstant(row.created_at)];
  const descriptions = { title, caption, alt };
  const file = { ext, mime, size, width, height, ...describeVideo(row), sha256 };
  return { key, slug, name, ...descriptions, ...file, visibility, album_id, max_views, has_password, expires_at, created_at };
}

/** What distinguishes a video from a picture. */
export function describeVideo({ duration, has_audio }: Pick<ImageRow, 'duration' | 'has_audio'>) {
  return {
    kind: duration === null ? ('picture' as const) : ('video' as const),
    duration: duration === null ? null : duration / 1000,
    has_audio: has_audio === 1,
  };
}

/** Images as their owner sees them. */
export async function presentImages<Row extends ImageRow>(queries: Queries, rows: readonly Row[], links: Links): Promise<Image[]> {
  const [entries, senders] = [await entriesOf(queries, rows), await sendersOf(queries, rows)];
  return rows.map((row) => ({
    ...presentImage(row, links),
    albums: entries.get(row.id)?.map(({ id }) => id) ?? [],
    ...senders.get(row.id),
    ...(row.trash_reason === 'removed' && { removed_by_sender: true }),
  }));
}

/** Who sent which of these images through a request link. */
async function sendersOf(queries: Queries, rows: readonly ImageRow[]): Promise<Map<number, Pick<Image, 'sent_by'>>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const sent = await queries
    .selectFrom('request_files')
    .innerJoin('request_batches', 'request_batches.id', 'request_files.batch_id')
    .select(['image_id', 'sender_name'])
    .where('image_id', 'in', ids)
    .execute();
  return new Map(sent.map(({ image_id, sender_name }) => [image_id, { sent_by: sender_name }]));
}

/** The same for one image. */
export async function presentOwnImage(queries: Queries, row: ImageRow, links: Links): Promise<Image> {
  const [image] = await presentImages(queries, [row], links);
  return image as Image;
}

/** An image without its albums, except for the first one. */
export function presentImage(row: ImageRow, links: Links): Omit<Image, 'albums'> {
  return {
    ...describeImage(row),
    has_poster: row.has_poster === 1,
    views: row.views,
    views_left: viewsLeft(row),
    favourite: row.favourite === 1,
    tags: readList(row.tags),
    taken_at: toInstant(row.taken_at),
    deleted_at: toInstant(row.deleted_at),
    thumbhash: row.thumbhash || null,
    animated: row.animated === 1,
    replaced_at: toInstant(row.replaced_at),
    version_of: row.version_of,
    links: { ...links.of(row), delete_url: links.deletionOf(row) },
  };
}

/** An image as anyone who may open it sees it, without its owner, album or deletion link. */
export function presentShare(row: ImageRow, links: Links): OpenShare {
  const { key, name, title, caption, alt, ext, mime, size, width, height, max_views } = row;
  return {
    key,
    password_required: false,
    name,
    title,
    caption,
    alt,
    ext,
    mime,
    size,
    width,
    height,
    ...describeVideo(row),
    created_at: toInstant(row.created_at),
    expires_at: toInstant(row.expires_at),
    max_views,
    views_left: viewsLeft(row),
    links: links.of(row),
  };
}
