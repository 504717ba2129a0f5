import type { ImageIndex } from '#server/core/images/image-index.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';
import { isAlbumExpired } from './albums.ts';
import { findOpenCover } from './open-images.ts';

/** Whether chats and other sites may be told an album's name. They store previews, so only a stranger's rights count, regardless of who asks. */
export function isPreviewableAlbum(album: AlbumRow | undefined, now: number): album is AlbumRow {
  return album?.visibility === 'public' && album.password_hash === null && !isAlbumExpired(album, now);
}

interface Sources {
  db: Database;
  imageIndex: ImageIndex;
}

/** The cover that anyone may see. */
export async function findPreviewCover({ db, imageIndex }: Sources, album: AlbumRow): Promise<ImageRow | undefined> {
  const key = await findOpenCover(db.read, album, { trusted: false, unlocked: [] });
  return key === undefined ? undefined : imageIndex.find(key);
}
