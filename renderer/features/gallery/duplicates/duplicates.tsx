import { type InfiniteData, infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import type { Album } from '#api/albums/albums.ts';
import type { RouteData } from '#api/contract.ts';
import type { DuplicateGroup, listDuplicates } from '#api/images/duplicates.ts';
import type { Image } from '#api/images/images.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { refreshCounts } from '#renderer/images/list/batch.ts';
import { LIST_KEY, updateLists, withoutImages } from '#renderer/images/list/list.ts';
import { reloadLists } from '#renderer/images/list/reload.ts';
import { offerUndo } from '#renderer/images/list/undo.tsx';
import { useUndo } from '#renderer/images/list/use-undo.tsx';
import { client } from '#renderer/service/client.ts';
import { bestOf } from './uses.ts';

/** Groups per page, a few screens. */
const PAGE = 20;

export const duplicatesQuery = infiniteQueryOptions({
  queryKey: ['images', 'duplicates'],
  queryFn: ({ pageParam, signal }) => client.call('GET /images/duplicates', { query: { cursor: pageParam, limit: PAGE }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.next_cursor ?? undefined,
});

type Pages = InfiniteData<RouteData<typeof listDuplicates>, string | undefined>;

/** What tells a group from others: its pictures. */
export const idOf = ({ images }: DuplicateGroup) => images.map(({ key }) => key).join();

interface Kept {
  kept: readonly Image[];
  albums: readonly Album[];
  takePlaces: boolean;
}

/** What a review can do with a group. The list shows the outcome at once. */
export function useReview() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const notice = useNotice();
  const notifyError = useNotifyError();
  const format = useFormat();
  const offerBatchUndo = useUndo(notice);
  const reload = () => void queryClient.invalidateQueries({ queryKey: duplicatesQuery.queryKey });
  const hide = (group: DuplicateGroup) =>
    queryClient.setQueryData<Pages>(
      duplicatesQuery.queryKey,
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            count: page.count - 1,
            items: page.items.filter((other) => idOf(other) !== idOf(group)),
          })),
        },
    );
  const mark = (images: readonly Image[], different: boolean) =>
    client.call('POST /images/duplicates/review', { body: { keys: images.map(({ key }) => key), different } });
  return {
    /**
     * Keeps some pictures of a group, which are different then, and moves the others to the trash. The best of those that are kept takes their
     * places in albums with `takePlaces`.
     */
    async keep(group: DuplicateGroup, { kept, albums, takePlaces }: Kept) {
      const dropped = group.images.filter((image) => !kept.includes(image));
      const keys = dropped.map(({ key }) => key);
      const best = bestOf(kept, albums);
      if (!best) return;
      hide(group);
      updateLists(queryClient, (list) => withoutImages(list, new Set(keys)));
      try {
        if (kept.length > 1) await mark(kept, true);
        const body = { key: best.key, delete: keys, take_places: takePlaces };
        const { processed, undo } = await client.call('POST /images/duplicates/keep', { body });
        // Not a reset, which would empty this page, too, and lose the focus.
        void queryClient.invalidateQueries({ queryKey: LIST_KEY });
        refreshCounts(queryClient);
        const title = t('library.trashed', { count: processed, formatted: format.number(processed) });
        offerBatchUndo(title, { tokens: undo ? [undo] : [], action: 'trash', images: dropped, more: true });
      } catch (error) {
        reloadLists(queryClient);
        notifyError(error);
        reload();
      }
    },
    async markDifferent(group: DuplicateGroup) {
      hide(group);
      try {
        await mark(group.images, true);
        offerUndo(notice, { title: t('duplicates.markedDifferent') }, () => mark(group.images, false).then(reload).catch(notifyError));
      } catch (error) {
        notifyError(error);
        reload();
      }
    },
  };
}
