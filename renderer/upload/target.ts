import { createContext, use, useEffect } from 'react';
import type { UploadAlbum, UploadItem } from './types.ts';

/** Tells the intake around a page where uploads go. */
export const TargetContext = createContext<(album: UploadAlbum | undefined) => void>(() => undefined);

/** As long as the page is shown, what people drop, paste or choose on it goes into this album of theirs. */
export function useUploadsInto(album: UploadAlbum | undefined) {
  const setTarget = use(TargetContext);
  const { id, name } = album ?? {};
  useEffect(() => {
    setTarget(id !== undefined && name !== undefined ? { id, name } : undefined);
    return () => setTarget(undefined);
  }, [setTarget, id, name]);
}

/** The album that all of these go into, if it is one. */
export function commonAlbum(items: readonly UploadItem[]): UploadAlbum | undefined {
  const album = items[0]?.album;
  return items.every((item) => item.album?.id === album?.id) ? album : undefined;
}
