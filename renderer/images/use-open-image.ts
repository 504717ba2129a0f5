import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';

interface Search {
  picture?: string | undefined;
}

/** The image that the viewer shows. It is part of the address, so that Back closes the viewer and a reload keeps it open. */
export function useOpenImage() {
  const { picture: shown }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const openedHere = useRef(false);
  const [returnTo, setReturnTo] = useState<string>();
  const go = useCallback(
    (key: string | undefined, replace: boolean) =>
      void navigate({ to: '.', search: (before: Search) => ({ ...before, picture: key }), replace, resetScroll: false }),
    [navigate],
  );
  const open = useCallback(
    ({ key }: { key: string }) => {
      openedHere.current = true;
      go(key, false);
    },
    [go],
  );
  const show = useCallback((key: string) => go(key, true), [go]);
  const close = useCallback(() => {
    setReturnTo(shown);
    if (openedHere.current) router.history.back();
    else go(undefined, true);
    openedHere.current = false;
  }, [shown, go, router]);
  return { shown, returnTo, open, show, close };
}
