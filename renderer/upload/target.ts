import { createContext, use, useEffect } from 'react';
import type { UploadItem } from './types.ts';

/** Tells the intake around a page where uploads go. */
export const TargetContext = createContext<(albumId: string | undefined) => void>(() => undefined);

/** As long as the page is shown, what people drop, paste or choose on it goes into this album of theirs. */
export function useUploadsInto(albumId: string | undefined) {
  const setTarget = use(TargetContext);
  useEffect(() => {
    setTarget(albumId);
    return () => setTarget(undefined);
  }, [setTarget, albumId]);
}

/** The album that all of these go into, if it is one. */
export function commonAlbum(items: readonly UploadItem[]): string | undefined {
  const albumId = items[0]?.albumId;
  return items.every((item) => item.albumId === albumId) ? albumId : undefined;
}
