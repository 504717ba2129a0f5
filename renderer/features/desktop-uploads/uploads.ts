import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { Upload, UploadAction, UploadSection } from '#api/desktop/uploads.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { load } from '#renderer/service/connection.ts';

const PAGE = 50;

/** One of the app's lists of uploads. */
export const uploadsQuery = (bridge: DesktopBridge, section: UploadSection) =>
  infiniteQueryOptions({
    queryKey: ['desktop', 'uploads', 'list', section],
    queryFn: ({ pageParam }) => bridge.getUploads({ section, limit: PAGE, offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: ({ items, total }, _pages, offset) => (offset + items.length < total ? offset + items.length : undefined),
    placeholderData: keepPreviousData,
  });

/** A thumbnail of a picture on the joined host; null while there is none. */
export const thumbnailQuery = (bridge: DesktopBridge, key: string) =>
  queryOptions({
    queryKey: ['desktop', 'thumbnail', key],
    queryFn: () => bridge.getThumbnail(key),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 2,
  });

/** The address of a small picture of a draft, with what is drawn on it; null where there is none. */
export const draftThumbnailQuery = (bridge: DesktopBridge, { id, isMarked = false }: Pick<Upload, 'id' | 'isMarked'>) =>
  queryOptions({
    queryKey: ['desktop', 'draft-thumbnail', id, isMarked],
    queryFn: async () => {
      const found = await bridge.getDraftThumbnail(id);
      if (!found) return null;
      const { bytes, marks } = found;
      if (marks === null) return `data:image/jpeg;base64,${(bytes as Uint8Array & { toBase64(): string }).toBase64()}`;
      const { drawThumbnail } = await load(() => import('#renderer/editor/picture/thumbnail.ts'));
      return drawThumbnail(bytes as Uint8Array<ArrayBuffer>, marks);
    },
    // More may have been drawn in the other window.
    ...(isMarked ? { staleTime: 0, refetchOnWindowFocus: 'always' as const } : { staleTime: Number.POSITIVE_INFINITY }),
  });

/** Loads the lists again after each change of the queue: also one that leaves its state as it is. */
export function useFreshLists(bridge: DesktopBridge) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: ['desktop', 'uploads', 'list'] });
    refresh();
    return bridge.onUploadStatus(refresh);
  }, [bridge, queryClient]);
}

/** Actions on uploads; failures are shown. */
export function useUploadActions(bridge: DesktopBridge) {
  const notifyError = useNotifyError();
  const onError = (error: unknown) => notifyError(error);
  const change = useMutation({
    mutationFn: ({ action, ids }: { action: UploadAction; ids: 'all' | string[] }) => bridge.changeUploads(action, ids),
    onError,
  });
  const pause = useMutation({ mutationFn: (paused: boolean) => bridge.pauseUploads(paused), onError });
  const open = useMutation({ mutationFn: (id: string) => bridge.openDraft(id), onError });
  const send = useMutation({ mutationFn: (id: string) => bridge.sendListedDraft(id), onError });
  return {
    openDraft: open.mutate,
    sendDraft: send.mutate,
    change: (action: UploadAction, ids: 'all' | string[]) => change.mutate({ action, ids }),
    pause: pause.mutate,
  };
}
