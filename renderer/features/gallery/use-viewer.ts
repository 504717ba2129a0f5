import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import type { Image } from '#api/images.ts';
import type { GallerySearch } from './search.ts';

/** Which picture is open. It stands in the address, so that Back closes it and a reload keeps it. */
export function useViewer() {
  const { picture }: GallerySearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const openedHere = useRef(false);
  const [returnTo, setReturnTo] = useState<string>();
  const go = useCallback(
    (key: string | undefined, replace: boolean) =>
      void navigate({ to: '.', search: (before: GallerySearch) => ({ ...before, picture: key }), replace, resetScroll: false }),
    [navigate],
  );
  const open = useCallback(
    ({ key }: Image) => {
      openedHere.current = true;
      go(key, false);
    },
    [go],
  );
  const show = useCallback((key: string) => go(key, true), [go]);
  const close = useCallback(
    (last: string) => {
      setReturnTo(last);
      if (openedHere.current) router.history.back();
      else go(undefined, true);
      openedHere.current = false;
    },
    [go, router],
  );
  return { shown: picture, returnTo, open, show, close };
}
