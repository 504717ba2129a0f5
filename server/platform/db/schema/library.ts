import type { Generated, Selectable } from 'kysely';

export interface AlbumsTable {
  id: string;
  owner_id: number;
  name: string;
  description: string;
  visibility: 'public' | 'private';
  password_hash: string | null;
  cover_key: string | null;
  /** Whether visitors may download all pictures at once. */
  allow_download: Generated<0 | 1>;
  /** Albums are listed by ascending position. */
  position: number;
  /** Kept by triggers, as are the next four: all pictures that aren't in the trash. */
  image_count: Generated<number>;
  /** Without a view limit, for every visitor of the album. */
  open_count: Generated<number>;
  /** The same for the owner and admins. */
  trusted_count: Generated<number>;
  /** With a view limit that isn't used up, for every visitor of the album. */
  limited_open_count: Generated<number>;
  /** With a view limit, for the owner and admins. */
  limited_count: Generated<number>;
  created_at: number;
  updated_at: number;
}
export type AlbumRow = Selectable<AlbumsTable>;

export interface ImagesTable {
  id: Generated<number>;
  /** 12 random letters and digits; part of every link. */
  key: string;
  /** A custom address, in lower case; works in links in place of the key. */
  slug: Generated<string | null>;
  /** Null: a guest's. */
  owner_id: number | null;
  policy_id: number;
  /** Hash of the bytes that are served. */
  sha256: string;
  /** Hash of the bytes that were uploaded, for recognising repeats. */
  input_sha256: string;
  name: string;
  /** Empty: none, as for the next two. */
  title: Generated<string>;
  caption: Generated<string>;
  /** A description for those who can't see the image. */
  alt: Generated<string>;
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
  /** All views by anyone but the owner; those of unlimited images are stored with a delay. */
  views: Generated<number>;
  /** The exact number of views since the limit was set. */
  limited_views: Generated<number>;
  favourite: Generated<0 | 1>;
  /** JSON array of strings. */
  tags: Generated<string>;
  taken_at: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  /** JSON array: the extensions of former files, whose links lead to the present one. */
  former_exts: Generated<string>;
  /** When its file was last replaced; after `created_at` and each earlier time by at least a second, the resolution of HTTP's dates. */
  replaced_at: Generated<number | null>;
  /** The key of the picture of which this is an earlier version. */
  version_of: Generated<string | null>;
  /** When it was moved to the trash. */
  deleted_at: number | null;
  /** Why it is in the trash; null: its owner deleted it. */
  trash_reason: 'expired' | 'replaced' | null;
  /** Identifies the request that moved it to the trash, for undoing it. */
  trash_batch: Generated<string | null>;
  /** When the bytes of the expired picture were released; the row stays for a while, and its links respond with 410. */
  emptied_at: number | null;
  uploader_address: string;
  /** Counts how often its deletion links have been renewed. */
  deletion_nonce: Generated<number>;
  /** ThumbHash of the image as base64; null: not made yet, empty: it can't be made. */
  thumbhash: Generated<string | null>;
}
export type ImageRow = Selectable<ImagesTable>;

/** The tags of images, for searching; triggers derive them from `images.tags`. */
export interface ImageTagsTable {
  owner_id: number;
  tag: string;
  image_id: number;
}

/** Images that have yet to be added to the search index; triggers record every change here. */
export interface ImageSearchQueueTable {
  image_id: number;
}

/** The words of a user's images, past ones included, that a mistyped word can mean. */
export interface ImageSearchWordsTable {
  owner_id: number;
  word: string;
  /** The word from its end to its beginning, for finding words by their ends. */
  reversed: string;
}

/** The views of an image on one day. */
export interface ImageViewsTable {
  image_id: number;
  /** Days since 1970, UTC. */
  day: number;
  views: number;
}

/** Where the views of an image on one day came from. */
export interface ImageReferrersTable {
  /** Days since 1970, UTC. */
  day: number;
  image_id: number;
  /** Lower case; empty: the hosts beyond those that a day has room for. */
  host: string;
  views: number;
}

/** A batch that can be undone. */
export interface BatchUndosTable {
  id: Generated<number>;
  token: string;
  owner_id: number;
  created_at: number;
}

/** What a batch replaced in one image. */
export interface BatchUndoValuesTable {
  batch_id: number;
  image_id: number;
  field: 'album_id' | 'visibility' | 'tags' | 'expires_at' | 'favourite';
  /** The column's value as text. */
  before: string | null;
  after: string | null;
}

/** The keys that clients give their uploads: a retry with the same key returns the first result (decision 058). */
export interface UploadKeysTable {
  id: Generated<number>;
  /** 0 for guests. */
  user_id: number;
  /** A guest's network; empty for accounts. */
  network: string;
  key: string;
  /** Hash of the content and the options, without the password. */
  request_sha256: string;
  password_hash: string | null;
  image_id: number;
  /** Hash of the bytes that the image had then. */
  image_sha256: string;
  /** 1 if the upload returned an image that existed already. */
  reused: 0 | 1;
  created_at: number;
}
