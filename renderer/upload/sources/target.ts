import { useQuery } from '@tanstack/react-query';
import { useMatch } from '@tanstack/react-router';
import { mayAdd } from '#api/albums/find-album.ts';
import { albumsOf } from '#api/images/album-fields.ts';
import type { FormFields } from '#api/images/upload.ts';
import { albumsQuery, sharedAlbumsQuery } from '#renderer/albums/albums.ts';
import type { UploadItem } from '#renderer/upload/queue/types.ts';

/**
 * The id of the album whose address is open: files dropped, pasted or chosen go into it, also while its page or the list of albums is loading.
 * Undefined on other pages, and for albums that the user may not put pictures into.
 */
export function useTarget(): string | undefined {
  const albumId = useMatch({ from: '/member/albums/$albumId', shouldThrow: false, select: ({ params }) => params.albumId });
  const enabled = albumId !== undefined;
  const [own, shared] = [useQuery({ ...albumsQuery, enabled }), useQuery({ ...sharedAlbumsQuery, enabled })];
  const mayHold = [...(own.data ?? []), ...(shared.data ?? []).filter(mayAdd)].some(({ id }) => id === albumId);
  return own.isSuccess && shared.isSuccess && !mayHold ? undefined : albumId;
}

/** The albums that all items go into, if they are the same. */
export function commonAlbums(items: readonly UploadItem[]): string[] {
  const albums = (fields: FormFields = {}) => albumsOf(fields).join();
  return items.every(({ fields }) => albums(fields) === albums(items[0]?.fields)) ? albumsOf(items[0]?.fields ?? {}) : [];
}
