import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { MAX_BATCH } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { dayOf } from '#renderer/i18n/format.ts';
import { countQuery, countSet } from '#renderer/images/list/count.ts';
import type { ImageList } from '#renderer/images/list/pages.ts';
import { isLoaded, readRange, spanOfRange } from '#renderer/images/list/range.ts';
import type { ShownList } from '#renderer/images/list/use-image-list.ts';
import { hasDays, type ImageView, isTrash, startOf, timeOf } from '#renderer/images/list/view.ts';
import { type Span, spanWith } from '#renderer/images/selection/selection.ts';
import { useSelection } from '#renderer/images/selection/use-selection.ts';

/** What is selected in a view, and the number of its images where more of them could be. */
export function useViewSelection(view: ImageView, list: ImageList | undefined, { loaded, complete, images, frames }: ShownList) {
  const queryClient = useQueryClient();
  const notifyError = useNotifyError();
  const belonging = useMemo(
    () => ({
      dayOf: (image: Image) => dayOf(timeOf(image, view.sort)),
      spanOf: (day: string) => ({ from: startOf(day), to: startOf(day, 1) }),
      timeOf: (image: Image) => timeOf(image, view.sort),
      addedAt: (image: Image) => (isTrash(view) ? timeOf(image, view.sort) : image.created_at),
    }),
    [view],
  );
  const select = (added?: Span, without: readonly Image[] = []) =>
    void countSet(queryClient, view, added && spanWith(selection.sets, added))
      .then((set) => selection.selectSet(set, added, without))
      .catch(notifyError);
  const selectFar = (from: Image, to: Image): boolean => {
    const ends = [images.find(from.key), images.find(to.key)] as const;
    const range = { first: Math.min(...ends), last: Math.max(...ends) };
    const pages = list?.pages ?? [];
    if (range.first >= 0 && isLoaded(pages, frames.starts, range)) return false;
    if (hasDays(view.sort)) {
      const { span, beside } = spanOfRange([from, to], range, images, view.sort);
      select(span, beside);
    } else if (range.first >= 0)
      void readRange(view, pages, frames.starts, range)
        .then((some) => selection.add(some))
        .catch(notifyError);
    else return false;
    return true;
  };
  const selection = useSelection(loaded, {
    belonging,
    onWholeDay: (day) => select(belonging.spanOf(day)),
    onFarRange: selectFar,
  });
  // A set is a part of the view it was selected in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another view matters
  useEffect(() => selection.clear, [view]);
  const whole = selection.sets.some(({ span }) => span === undefined);
  // As a set, everything takes one request, however many pictures it is.
  const isSeveral = selection.sets.length > 0 || selection.images.size > MAX_BATCH;
  const becomesSet = complete && !whole && isSeveral && selection.size === loaded.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that everything is selected
  useEffect(() => void (becomesSet && select()), [becomesSet]);
  const offered = !complete && !whole && selection.size > 0 && loaded.every(selection.has);
  const { data } = useQuery({ ...countQuery(view), enabled: offered });
  return { selection, total: offered ? data?.count : undefined, selectAll: () => select() };
}
