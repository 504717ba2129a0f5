import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';

/** The loaded pages of a list, their images, and a function that loads the next page, unless there is none or it is on its way. */
export function usePages<T>(list: UseInfiniteQueryResult<InfiniteData<{ items: T[] }>>) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const pages = useMemo(() => data?.pages.map(({ items }) => items) ?? [], [data]);
  const images = useMemo(() => pages.flat(), [pages]);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  return { pages, images, loadMore };
}
