import type { Deletion, OpenShare, Share } from '#api/sharing/shares.ts';
import { viewsLeft } from '#server/core/images/access.ts';
import type { Links } from '#server/core/images/links.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

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
    created_at: toInstant(row.created_at),
    expires_at: toInstant(row.expires_at),
    max_views,
    views_left: viewsLeft(row),
    links: links.of(row),
  };
}

export function presentLocked({ key }: Pick<ImageRow, 'key'>): Share {
  return { key, password_required: true };
}

/** @param previewable whether this caller may see the thumbnail */
export function presentDeletion(row: ImageRow, links: Links, previewable: boolean): Deletion {
  const { key, name, ext, size, width, height, owner_id } = row;
  return {
    key,
    name,
    ext,
    size,
    width,
    height,
    created_at: toInstant(row.created_at),
    thumbnail_url: previewable ? links.of(row).thumbnail_url : null,
    permanent: owner_id === null,
  };
}
