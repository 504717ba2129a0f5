import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';

const route = getRouteApi('/a/$id');

/** Which picture of the album is open. It stands in the address, so that Back closes it and a reload keeps it. */
export function useShown() {
  const { picture: shown } = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  const openedHere = useRef(false);
  const [returnTo, setReturnTo] = useState<string>();
  const open = useCallback(
    (key: string) => {
      openedHere.current = true;
      void navigate({ search: { picture: key }, resetScroll: false });
    },
    [navigate],
  );
  const show = useCallback((key: string) => void navigate({ search: { picture: key }, replace: true, resetScroll: false }), [navigate]);
  const close = () => {
    setReturnTo(shown);
    if (openedHere.current) router.history.back();
    else void navigate({ search: {}, replace: true, resetScroll: false });
    openedHere.current = false;
  };
  return { shown, returnTo, open, show, close };
}
