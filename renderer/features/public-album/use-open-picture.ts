import { useCallback, useEffect, useRef, useState } from 'react';

/** The key of the image in the page's address. */
const inAddress = () => new URLSearchParams(location.search).get('picture') ?? undefined;
const addressOf = (key: string | undefined) => (key ? `?picture=${encodeURIComponent(key)}` : location.pathname);

/** The image that the viewer shows. It is part of the address, so that Back closes the viewer and a reload keeps it open. */
export function useOpenPicture() {
  const [shown, setShown] = useState(inAddress);
  const [returnTo, setReturnTo] = useState<string>();
  const openedHere = useRef(false);
  const latest = useRef(shown);
  latest.current = shown;
  useEffect(() => {
    const follow = () => {
      const now = inAddress();
      if (!now) setReturnTo(latest.current);
      setShown(now);
    };
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const open = useCallback(({ key }: { key: string }) => {
    openedHere.current = true;
    history.pushState(null, '', addressOf(key));
    setShown(key);
  }, []);
  const show = useCallback((key: string) => {
    history.replaceState(null, '', addressOf(key));
    setShown(key);
  }, []);
  const close = useCallback(() => {
    // Back leads to the album where the visitor came from there; `popstate` then closes the viewer.
    if (openedHere.current) history.back();
    else {
      setReturnTo(latest.current);
      history.replaceState(null, '', addressOf(undefined));
      setShown(undefined);
    }
    openedHere.current = false;
  }, []);
  return { shown, returnTo, open, show, close };
}
