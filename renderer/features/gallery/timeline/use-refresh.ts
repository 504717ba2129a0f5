import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refreshHead } from '#renderer/images/list/list.ts';
import type { ImageView } from '#renderer/images/list/view.ts';
import { onDesktopUpload } from '#renderer/platform/bridge.ts';
import { limitsQuery } from '#renderer/service/queries.ts';

/** Returning to the window sooner than this after a refresh causes no other. */
const MIN_INTERVAL_MS = 5000;

/** Loads uploads by other programs: when the window regains focus, and immediately after an upload by the desktop app. */
export function useRefresh(view: ImageView) {
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
        .catch(() => undefined); // The banner reports a lost connection; the list stays as it is.
    };
    const onFocus = () => {
      if (document.visibilityState === 'visible' && Date.now() - last > MIN_INTERVAL_MS) refresh();
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
