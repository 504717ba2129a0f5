import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onDesktopUpload } from '#renderer/bridge.ts';
import { refreshHead } from '#renderer/images/list.ts';
import type { ImageView } from '#renderer/images/view.ts';
import { limitsQuery } from '#renderer/service/queries.ts';

/** Milliseconds; coming back to the window more often than this asks for nothing. */
const NOT_BEFORE = 5000;

/** Brings in what other programs have uploaded: when the window is looked at again, and at once when the desktop's tray did it. */
export function useFreshness(view: ImageView) {
  const queryClient = useQueryClient();
  useEffect(() => {
    let last = Date.now();
    const refresh = () => {
      last = Date.now();
      void queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
      void queryClient
        .fetchQuery({
          queryKey: ['images', 'head', view],
          queryFn: () => refreshHead(queryClient, view).then(() => last),
          staleTime: 0,
          retry: false,
        })
        .catch(() => undefined); // The banner tells of a service that is away; the list on the page stays as it is.
    };
    const onFocus = () => {
      if (document.visibilityState === 'visible' && Date.now() - last > NOT_BEFORE) refresh();
    };
    window.addEventListener('focus', onFocus);
    document.addEventListener('visibilitychange', onFocus);
    const stop = onDesktopUpload(refresh);
    return () => {
      window.removeEventListener('focus', onFocus);
      document.removeEventListener('visibilitychange', onFocus);
      stop();
    };
  }, [queryClient, view]);
}
