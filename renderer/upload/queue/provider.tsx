import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useRef, useState, useSyncExternalStore } from 'react';
import type { Uploaded } from '#api/images/upload.ts';
import { type LinkStyle, styledLinks } from '#api/sharing/link-formats.ts';
import { albumsQuery } from '#renderer/albums/albums.ts';
import { type Copy, useCopy } from '#renderer/components/copying/copy-context.ts';
import { showImages } from '#renderer/images/list/list.ts';
import { useAnnounceCopied } from '#renderer/images/sharing/copy-links.tsx';
import { getPreferences } from '#renderer/preferences/preferences.ts';
import { loadedLinkStyle } from '#renderer/service/account.ts';
import { untilReachable } from '#renderer/service/connection.ts';
import { limitsQuery, sessionQuery } from '#renderer/service/queries.ts';
import { isSignedOut } from '#renderer/service/query-client.ts';
import { loadedLimits } from '#renderer/upload/limits.ts';
import { UploadQueue } from './queue.ts';
import { refuse } from './refusal.ts';
import { summarise } from './summary.ts';
import { sendUpload } from './transport.ts';
import type { UploadItem } from './types.ts';
import { useLeaveWarning } from './use-leave-warning.ts';

const QueueContext = createContext<UploadQueue | undefined>(undefined);

export function useUploadQueue(): UploadQueue {
  const queue = use(QueueContext);
  if (!queue) throw new Error('useUploadQueue needs an UploadProvider above it');
  return queue;
}

export function useUploads() {
  const queue = useUploadQueue();
  return useSyncExternalStore(queue.subscribe, queue.getSnapshot);
}

/** Provides the page's upload queue, which outlives navigation and the end of the session. */
export function UploadProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const announce = useRef(useAnnounceCopied());
  announce.current = useAnnounceCopied();
  const copy = useRef(useCopy());
  copy.current = useCopy();
  const [queue] = useState(
    () =>
      new UploadQueue({
        send: (item, onProgress, signal) => sendUpload(item, onProgress, signal, loadedLimits(queryClient)),
        user: () => queryClient.getQueryData(sessionQuery.queryKey)?.user?.id,
        refuse: (file) => refuse(file, loadedLimits(queryClient)),
        untilReachable,
        onUploaded({ image }) {
          if (image) showImages(queryClient, [image]);
        },
        onFailed(error) {
          if (isSignedOut(error)) void recheckSession(queryClient);
        },
        onDrained(items) {
          void queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
          if (items.some(({ image }) => image?.album_id)) void queryClient.invalidateQueries({ queryKey: albumsQuery.queryKey });
          void copyFinished(items, loadedLinkStyle(queryClient), copy.current, announce.current);
        },
      }),
  );
  useLeaveWarning(queue);
  return <QueueContext value={queue}>{children}</QueueContext>;
}

/**
 * Sends a request that leads to sign-in if it is refused too. If it succeeds, another user has signed in, and everything shown must
 * be loaded again.
 */
async function recheckSession(queryClient: QueryClient) {
  await queryClient.prefetchQuery({ ...limitsQuery, staleTime: 0 });
  if (queryClient.getQueryState(limitsQuery.queryKey)?.status === 'success') await queryClient.invalidateQueries();
}

/** Without a dialog where the browser refuses: the user didn't ask to copy, and the panel has a Copy button. */
async function copyFinished(items: readonly UploadItem[], style: LinkStyle, copy: Copy, announce: (images: readonly Uploaded[]) => void) {
  const { images } = summarise(items);
  const { copyAfterUpload } = getPreferences();
  if (!images.length || !copyAfterUpload) return;
  if (await copy(styledLinks(images, style), { quiet: true })) announce(images);
}
