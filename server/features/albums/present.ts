import type { Album, OpenPublicAlbum, PublicAlbum, PublicAlbumImage } from '#api/albums/albums.ts';
import type { Links } from '#server/core/images/links.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';
import { canDownload } from './access.ts';
import type { AlbumWithImages } from './albums.ts';

/** An album as its owner sees it. */
export function presentAlbum(row: AlbumWithImages, links: Links): Album {
  const { id, name, description, visibility, image_count, cover_key, shown_cover } = row;
  return {
    id,
    name,
    description,
    visibility,
    has_password: row.password_hash !== null,
    image_count,
    cover_key,
    allow_download: row.allow_download === 1,
    cover_url: shown_cover === null ? null : links.thumbnailOf({ key: shown_cover }),
    share_url: links.albumOf({ id }),
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
  };
}

/** What a visitor sees of an album's pictures. */
interface Seen {
  count: number;
  limited: number;
  cover: string | undefined;
  trusted: boolean;
}

/** An album as its visitors see it. */
export function presentOpenAlbum(row: AlbumRow, links: Links, seen: Seen): OpenPublicAlbum {
  const { id, name, description, created_at } = row;
  return {
    id,
    password_required: false,
    name,
    description,
    image_count: seen.count,
    limited_count: seen.limited,
    can_download: canDownload(row, seen),
    cover_url: seen.cover === undefined ? null : links.thumbnailOf({ key: seen.cover }),
    created_at: toInstant(created_at),
  };
}

export function presentLockedAlbum({ id }: Pick<AlbumRow, 'id'>): PublicAlbum {
  return { id, password_required: true };
}

export function presentAlbumImage(row: ImageRow, links: Links): PublicAlbumImage {
  const { key, name, title, alt, ext, width, height } = row;
  const { url, thumbnail_url, share_url } = links.of(row);
  return { key, name, title, alt, ext, width, height, url, thumbnail_url, share_url };
}
