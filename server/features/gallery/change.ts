import type { RouteParsed } from '#api/contract.ts';
import type { updateImage } from '#api/images/changes.ts';
import { type Group, groupOfUser } from '#server/core/accounts/groups.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { enqueueAlbumUpdates } from '#server/core/albums/events.ts';
import { findJoinedAlbums, requireAddableAlbums } from '#server/core/albums/members.ts';
import { changedAlbums, entriesOf, isSameList, setAlbums } from '#server/core/images/album-entries.ts';
import { expiryOf, requireExpiryWithin } from '#server/core/images/asked-expiry.ts';
import { findOwnImage, isExpired } from '#server/core/images/images.ts';
import { keepSlugs, readSlug, requireFree, requireSlugsEnabled } from '#server/core/images/slugs.ts';
import { displayName } from '#server/core/images/text/display-name.ts';
import { cleanTags } from '#server/core/images/text/tags.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import { readSettings } from '#server/core/settings/settings.ts';
import { InvalidRequestError, RequestError, requireFound } from '#server/platform/base/errors.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { storeList } from '#server/platform/db/lists.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

type Changes = RouteParsed<typeof updateImage, 'body'>;

export const GONE = 'This picture no longer exists. It may have been deleted.';

/**
 * Changes a user's image and returns its new row.
 * @throws NotFoundError, or RequestError with the reason
 */
export async function changeOwnImage(db: WritableDatabase, ownerId: number, key: string, changes: Changes): Promise<ImageRow> {
  if (changes.album_id !== undefined && changes.albums)
    throw new InvalidRequestError('Specify either album_id or albums.', { field: 'albums' });
  const now = Date.now();
  await requireWithinGroup(db.read, ownerId, changes, now);
  // Hashing is slow on purpose, so it happens before the unit of writing, which blocks all others.
  const columns = await toColumns(changes, now);
  return db.write(async (queries) => {
    await requireWithinGroup(queries, ownerId, changes, now);
    if (columns.slug) requireSlugsEnabled(await readSettings(queries));
    const row = requireFound(await findOwnImage(queries, ownerId, key), GONE);
    if (isExpired(row, now)) throw new RequestError('expired', 'This picture has expired. Restore it from the trash before you change it.');
    if (columns.slug) await requireFree(queries, columns.slug, { ownerId, key });
    if (columns.slug !== undefined && columns.slug !== row.slug) await keepSlugs(queries, [row], now);
    tellImages(queries, 'image.changed', [row]);
    await changeAlbums(queries, ownerId, row, changes, now);
    return queries
      .updateTable('images')
      .set({
        ...columns,
        ...(changes.name && { name: displayName(changes.name, row.name) }),
        // A limit counts views from when it is set.
        ...(changes.max_views && row.max_views === 0 && { limited_views: 0 }),
        updated_at: now,
      })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** @throws RequestError for an expiry or view limit beyond those of the owner's group */
async function requireWithinGroup(queries: Queries, ownerId: number, changes: Changes, now: number) {
  const group = await groupOfUser(queries, ownerId);
  requireExpiryWithin(group, changes, now);
  requireViewsWithin(group, changes.max_views);
}

/** The picture's first album stays the first, as long as it stays in it. */
async function changeAlbums(queries: Queries, ownerId: number, row: ImageRow, { album_id, albums }: Changes, now: number) {
  if (album_id === undefined && albums === undefined) return;
  const entries = (await entriesOf(queries, [row])).get(row.id) ?? [];
  const former = entries.map(({ id }) => id);
  const [first] = former;
  const wanted = albums ? [...new Set(albums)] : album_id ? [album_id, ...former.slice(1).filter((id) => id !== album_id)] : [];
  const after = albums && first !== undefined && wanted.includes(first) ? [first, ...wanted.filter((id) => id !== first)] : wanted;
  const added = after.filter((id) => !former.includes(id));
  await requireAddableAlbums(queries, ownerId, added, albums ? 'albums' : 'album_id');
  if (isSameList(entries, after)) return;
  // Those that it stays in needn't take further pictures of this user.
  const joined = await findJoinedAlbums(queries, ownerId, after);
  await setAlbums(
    queries,
    row.id,
    after.map((id) => ({ id })),
    joined,
    now,
  );
  await enqueueAlbumUpdates(queries, changedAlbums(entries, after));
}

/** Only the changes; everything else stays undefined, which leaves a column unchanged. */
async function toColumns(changes: Changes, now: number) {
  const { visibility, max_views, access_password, tags, favourite, title, caption, alt, taken_at } = changes;
  return {
    visibility,
    slug: changes.slug === undefined ? undefined : readSlug(changes.slug),
    title: title === null ? '' : title,
    caption: caption === null ? '' : caption,
    alt: alt === null ? '' : alt,
    expires_at: expiryOf(changes, now),
    max_views: max_views === null ? 0 : max_views,
    password_hash: access_password ? await hashPassword(access_password) : access_password,
    tags: tags && storeList(cleanTags(tags)),
    taken_at: taken_at === undefined ? undefined : Date.parse(taken_at),
    favourite: favourite === undefined ? undefined : favourite ? (1 as const) : (0 as const),
  };
}

/** Checks a view limit against the group's. @throws RequestError `max_views_over_group` */
function requireViewsWithin(group: Pick<Group, 'max_max_views'>, views: number | null | undefined): void {
  const cap = group.max_max_views;
  if (views === undefined || cap === 0 || (views !== null && views > 0 && views <= cap)) return;
  throw new RequestError('max_views_over_group', `The view limit can be at most ${cap}. Choose a lower one.`, {
    field: 'max_views',
    limit: cap,
  });
}
