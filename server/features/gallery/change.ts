import type { RouteParsed } from '#api/contract.ts';
import type { updateImage } from '#api/images/changes.ts';
import type { Group } from '#server/core/accounts/groups.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { requireOwnAlbum } from '#server/core/albums/albums.ts';
import { tellAlbums } from '#server/core/albums/events.ts';
import { requireExpiryWithin, requireViewsWithin } from '#server/core/images/group-caps.ts';
import { findOwnImage, isExpired } from '#server/core/images/images.ts';
import { cleanLine, cleanText } from '#server/core/images/text/descriptions.ts';
import { displayName } from '#server/core/images/text/display-name.ts';
import { cleanTags } from '#server/core/images/text/tags.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import { RequestError, requireFound } from '#server/platform/base/errors.ts';
import type { Database } from '#server/platform/db/database.ts';
import { storeList } from '#server/platform/db/lists.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

import { readSlug, requireFree } from './slug.ts';

type Changes = RouteParsed<typeof updateImage, 'body'>;

export const GONE = 'This picture no longer exists. It may have been deleted.';

/**
 * Changes a user's image and returns its new row.
 * @throws NotFoundError, or RequestError with the reason
 */
export async function changeOwnImage(db: Database, owner: { id: number; group: Group }, key: string, changes: Changes): Promise<ImageRow> {
  requireExpiryWithin(owner.group, changes.expires_in);
  requireViewsWithin(owner.group, changes.max_views);
  const now = Date.now();
  // Hashing is slow on purpose, so it happens before the unit of writing, which blocks all others.
  const columns = await toColumns(changes, now);
  return db.write(async (queries) => {
    const row = requireFound(await findOwnImage(queries, owner.id, key), GONE);
    if (isExpired(row, now)) throw new RequestError('expired', 'This picture has expired. Restore it from the trash before you change it.');
    if (columns.slug) await requireFree(queries, columns.slug, key);
    if (changes.album_id) await requireOwnAlbum(queries, owner.id, changes.album_id);
    const moved = changes.album_id !== undefined && changes.album_id !== row.album_id;
    tellImages(queries, 'image.changed', [row]);
    if (moved) await tellAlbums(queries, [row.album_id, changes.album_id ?? null]);
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

/** Only the changes; everything else stays undefined, which leaves a column unchanged. */
async function toColumns(changes: Changes, now: number) {
  const { visibility, album_id, expires_in, max_views, access_password, tags, favourite, title, caption, alt } = changes;
  return {
    visibility,
    album_id,
    slug: changes.slug === undefined ? undefined : readSlug(changes.slug),
    title: title === undefined ? undefined : cleanLine(title ?? ''),
    caption: caption === undefined ? undefined : cleanText(caption ?? ''),
    alt: alt === undefined ? undefined : cleanLine(alt ?? ''),
    expires_at: expires_in === undefined ? undefined : expires_in ? now + expires_in * 1000 : null,
    max_views: max_views === null ? 0 : max_views,
    password_hash: access_password ? await hashPassword(access_password) : access_password,
    tags: tags && storeList(cleanTags(tags)),
    favourite: favourite === undefined ? undefined : favourite ? (1 as const) : (0 as const),
  };
}
