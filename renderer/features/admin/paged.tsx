import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useCallback } from 'react';
import shared from '#renderer/components/layout/rows.module.css';
import { LoadError } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useMoreOnReturn } from '#renderer/platform/place.ts';

interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

/**
 * A list in pages, cached under `key` below `admin`. `refreshAfter` returns in how many milliseconds its items
 * make it load again, or false.
 */
export function usePaged<T>(
  key: readonly unknown[],
  fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  { refreshAfter }: { refreshAfter?: (items: T[]) => number | false } = {},
) {
  const query = useInfiniteQuery({
    queryKey: ['admin', ...key],
    queryFn: ({ pageParam, signal }): Promise<Page<T>> => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<T>) => last.next_cursor ?? undefined,
    refetchInterval: ({ state }): number | false => refreshAfter?.(state.data?.pages.flatMap((page: Page<T>) => page.items) ?? []) ?? false,
  });
  return { query, items: query.data?.pages.flatMap((page: Page<T>) => page.items) };
}

interface Props<T> {
  list: ReturnType<typeof usePaged<T>>;
  /** Names the list for screen readers. */
  label: string;
  empty: ReactNode;
  className?: string;
  /** Draws one item as `<li>`. */
  children: (item: T) => ReactNode;
}

/** The items of such a list, with its loading, error and empty states. */
export function PagedList<T extends { id: number } | { key: string }>({ list, label, empty, className = shared.rows, children }: Props<T>) {
  const { t } = useTranslation('admin');
  const { query, items } = list;
  const { hasNextPage, isFetching, fetchNextPage } = query;
  const more = useCallback(() => void (hasNextPage && !isFetching && fetchNextPage()), [hasNextPage, isFetching, fetchNextPage]);
  useMoreOnReturn(more);
  if (query.isPending) return <Skeleton height={180} />;
  if (!items)
    return (
      <LoadError error={query.error} onRetry={() => query.refetch()}>
        <Skeleton height={180} />
      </LoadError>
    );
  if (!items.length) return empty;
  return (
    <>
      <ul className={className} aria-label={label}>
        {items.map((item) => (
          <Fragment key={'id' in item ? item.id : item.key}>{children(item)}</Fragment>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button variant="default" mt="md" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}
