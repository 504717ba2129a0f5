import type { Image } from '#api/images/images.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { readList } from '#server/platform/db/lists.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { viewsLeft } from './access.ts';
import type { Links } from './links.ts';

/** An image for its owner and for webhooks, without anything that bypasses its access rules. */
export function describeImage(row: ImageRow) {
  const { key, slug, name, title, caption, alt, ext, mime, size, width, height, sha256, visibility, album_id, max_views } = row;
  const [has_password, expires_at, created_at] = [row.password_hash !== null, toInstant(row.expires_at), toInstant(row.created_at)];
  const descriptions = { title, caption, alt };
  const file = { ext, mime, size, width, height, sha256 };
  return { key, slug, name, ...descriptions, ...file, visibility, album_id, max_views, has_password, expires_at, created_at };
}

/** An image as its owner sees it. */
export function presentImage(row: ImageRow, links: Links): Image {
  return {
    ...describeImage(row),
    views: row.views,
    views_left: viewsLeft(row),
    favourite: row.favourite === 1,
    tags: readList(row.tags),
    taken_at: toInstant(row.taken_at),
    deleted_at: toInstant(row.deleted_at),
    thumbhash: row.thumbhash || null,
    version_of: row.version_of,
    links: { ...links.of(row), delete_url: links.deletionOf(row) },
  };
}
