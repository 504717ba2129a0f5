import type { Album, OpenPublicAlbum, Person, PublicAlbum, PublicAlbumImage } from '#api/albums/albums.ts';
import type { SharedImage } from '#api/albums/pictures.ts';
import type { AlbumRole } from '#server/core/albums/members.ts';
import type { Links } from '#server/core/images/links.ts';
import { describeVideo, presentShare } from '#server/core/images/present.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';
import type { ListedImage } from './joined-images.ts';

/** What a user sees of their own album, or of one that is shared with them. */
interface Joined {
  role: AlbumRole;
  owner: Person;
  through: Album['shared_through'];
  forTeam: boolean;
  memberCount: number;
  imageCount: number;
  /** The cover that this user sees; null: no picture can be shown. */
  cover: string | null;
  /** Whether the user sees the chosen cover. */
  seesCover: boolean;
}

/** An album as its owner and members see it. */
export function presentAlbum(row: AlbumRow, links: Links, seen: Joined): Album {
  const { id, name, description, visibility, cover_key } = row;
  return {
    id,
    name,
    description,
    visibility,
    has_password: row.password_hash !== null,
    owner: seen.owner,
    role: seen.role,
    member_count: seen.memberCount,
    shared_through: seen.through,
    for_team: seen.forTeam,
    image_count: seen.imageCount,
    sorted: row.is_sorted === 1,
    cover_key: seen.seesCover ? cover_key : null,
    allow_download: row.allow_download === 1,
    expires_at: row.expires_at === null ? null : toInstant(row.expires_at),
    cover_url: seen.cover === null ? null : links.thumbnailOf({ key: seen.cover }),
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
  canDownload: boolean;
}

/** An album as its visitors see it. */
export function presentOpenAlbum(row: AlbumRow, links: Links, seen: Seen): OpenPublicAlbum {
  const { id, name, description, expires_at, created_at } = row;
  return {
    id,
    password_required: false,
    name,
    description,
    image_count: seen.count,
    limited_count: seen.limited,
    expires_at: expires_at === null ? null : toInstant(expires_at),
    can_download: seen.canDownload,
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
  return { key, name, title, alt, ext, width, height, ...describeVideo(row), url, thumbnail_url, share_url };
}

/** @param people the users that may be named, by their ids */
export function presentJoinedImage(row: ListedImage, links: Links, people: ReadonlyMap<number, Person>): SharedImage {
  return {
    ...presentShare(row, links),
    taken_at: toInstant(row.taken_at),
    thumbhash: row.thumbhash || null,
    animated: row.animated === 1,
    owner: people.get(row.owner_id ?? 0) as Person,
    added_by: people.get(row.added_by ?? 0) ?? null,
  };
}
