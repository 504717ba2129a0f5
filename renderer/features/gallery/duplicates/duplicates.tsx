import { type InfiniteData, infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { RouteData } from '#api/contract.ts';
import type { DuplicateGroup, listDuplicates } from '#api/images/duplicates.ts';
import type { Image } from '#api/images/images.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useTrash } from '#renderer/features/gallery/selection/use-trash.tsx';
import { UNDO_MS, UndoButton } from '#renderer/features/gallery/selection/use-undo.tsx';
import { only } from '#renderer/images/list/batch.ts';
import { forgetUndo, rememberUndo } from '#renderer/images/list/undo.ts';
import { client } from '#renderer/service/client.ts';

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

/** The picture to suggest keeping: with the most pixels, then the largest file, then the oldest upload. */
export function bestOf(images: readonly Image[]): Image | undefined {
  const rank = ({ width, height, size }: Image) => [width * height, size] as const;
  return images.toSorted((a, b) => rank(b)[0] - rank(a)[0] || rank(b)[1] - rank(a)[1])[0];
}

/** What a review can do with a group. The list shows the outcome at once. */
export function useReview() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const notice = useNotice();
  const notifyError = useNotifyError();
  const { trash } = useTrash(useCallback(() => undefined, [])); // a group is too small for the question
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
    /** Keeps some pictures of a group, which are different then, and moves the others to the trash. */
    async keep(group: DuplicateGroup, kept: readonly Image[]) {
      hide(group);
      try {
        if (kept.length > 1) await mark(kept, true);
        trash(only(group.images.filter((image) => !kept.includes(image))));
      } catch (error) {
        notifyError(error);
        reload();
      }
    },
    async markDifferent(group: DuplicateGroup) {
      hide(group);
      try {
        await mark(group.images, true);
        const undo = () => {
          forgetUndo(undo);
          notice.hide();
          void mark(group.images, false).then(reload).catch(notifyError);
        };
        rememberUndo(undo);
        notice.show({ title: t('duplicates.markedDifferent'), message: <UndoButton onClick={undo} />, autoClose: UNDO_MS });
      } catch (error) {
        notifyError(error);
        reload();
      }
    },
  };
}
