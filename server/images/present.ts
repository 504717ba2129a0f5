import type { Image } from '#api/images.ts';
import { toInstant } from '../db/instant.ts';
import { viewsLeft } from '../links/access.ts';
import type { Links } from '../links/links.ts';
import type { ImageRow } from './images.ts';

/** A picture as its owner sees it. */
export function presentImage(row: ImageRow, links: Links): Image {
  const { key, name, ext, mime, size, width, height, sha256, visibility, album_id, max_views, views } = row;
  return {
    key,
    name,
    ext,
    mime,
    size,
    width,
    height,
    sha256,
    visibility,
    album_id,
    expires_at: toInstant(row.expires_at),
    max_views,
    views,
    views_left: viewsLeft(row),
    has_password: row.password_hash !== null,
    favourite: row.favourite === 1,
    tags: JSON.parse(row.tags),
    taken_at: toInstant(row.taken_at),
    created_at: toInstant(row.created_at),
    deleted_at: toInstant(row.deleted_at),
    links: { ...links.of(row), delete_url: links.deletionOf(row) },
  };
}
