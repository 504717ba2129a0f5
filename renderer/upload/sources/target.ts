import { createContext, use, useEffect } from 'react';
import type { UploadItem } from '#renderer/upload/queue/types.ts';

/** Sets the album that the intake around a page uploads into. */
export const TargetContext = createContext<(albumId: string | undefined) => void>(() => undefined);

/** While the component is mounted, files dropped, pasted or chosen on the page go into this album. */
export function useUploadsInto(albumId: string | undefined) {
  const setTarget = use(TargetContext);
  useEffect(() => {
    setTarget(albumId);
    return () => setTarget(undefined);
  }, [setTarget, albumId]);
}

/** The album that all items go into, if it is the same. */
export function commonAlbum(items: readonly UploadItem[]): string | undefined {
  const albumId = items[0]?.fields.album_id;
  return items.every(({ fields }) => fields.album_id === albumId) ? albumId : undefined;
}
