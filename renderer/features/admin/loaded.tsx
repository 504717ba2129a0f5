import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from '#renderer/components/notice.tsx';
import { useExplain } from '#renderer/service/explain.ts';

/** What a query has brought; until then its place, or why it did not come. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  const explain = useExplain();
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorNotice explanation={explain(query.error)} onRetry={() => query.refetch()} />;
  return <Skeleton height={180} />;
}
