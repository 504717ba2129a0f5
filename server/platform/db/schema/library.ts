import type { Generated, Selectable } from 'kysely';

export interface AlbumsTable {
  id: string;
  owner_id: number;
  name: string;
  description: string;
  visibility: 'public' | 'private';
  password_hash: string | null;
  cover_key: string | null;
  /** Albums are listed by ascending position. */
  position: number;
  created_at: number;
  updated_at: number;
}
export type AlbumRow = Selectable<AlbumsTable>;

export interface ImagesTable {
  id: Generated<number>;
  /** 12 random letters and digits; what links contain. */
  key: string;
  /** Null: a guest's. */
  owner_id: number | null;
  policy_id: number;
  /** Hash of the bytes that are served. */
  sha256: string;
  /** Hash of the bytes that were uploaded, for recognising repeats. */
  input_sha256: string;
  name: string;
  ext: string;
  mime: string;
  size: number;
  width: number;
  height: number;
  visibility: 'public' | 'private';
  album_id: string | null;
  password_hash: string | null;
  /** 0: unlimited. */
  max_views: number;
  /** All looks by others than the owner; those at an unlimited image are written down with a delay. */
  views: Generated<number>;
  /** Looks since the limit was set; exact. */
  limited_views: Generated<number>;
  favourite: Generated<0 | 1>;
  /** JSON array of strings. */
  tags: Generated<string>;
  taken_at: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  /** When it was put into the trash. */
  deleted_at: number | null;
  /** When its bytes were released after it had expired; the row stays as a 410 for a while. */
  emptied_at: number | null;
  uploader_address: string;
}
export type ImageRow = Selectable<ImagesTable>;

/** Tags of images, for finding them: derived from `images.tags` by the database itself. */
export interface ImageTagsTable {
  owner_id: number;
  tag: string;
  image_id: number;
}

/** Images that the index for searching has yet to take in; the database itself notes every change here. */
export interface ImageSearchQueueTable {
  image_id: number;
}

/** How often an image was looked at on one day. */
export interface ImageViewsTable {
  image_id: number;
  /** Days since 1970, UTC. */
  day: number;
  views: number;
}
