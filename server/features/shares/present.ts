import type { Deletion, Share } from '#api/sharing/shares.ts';
import type { Links } from '#server/core/images/links.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

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
