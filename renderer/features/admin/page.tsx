import { Skeleton, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNotice } from '#renderer/components/notice.tsx';
import { useExplain } from '#renderer/service/explain.ts';
import classes from './admin.module.css';

interface Props {
  title: string;
  intro?: string;
  /** What begins something new on this page. */
  action?: ReactNode;
  children: ReactNode;
}

/** A page of administration: what it is about, and its content. */
export function AdminPage({ title, intro, action, children }: Props) {
  return (
    <>
      <header className={classes.header}>
        <div>
          <Title order={1}>{title}</Title>
          {intro && <p className={classes.intro}>{intro}</p>}
        </div>
        {action}
      </header>
      {children}
    </>
  );
}

/** A group of fields with a word about them. */
export function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section className={classes.part}>
      <div>
        <h2>{title}</h2>
        {hint && <p>{hint}</p>}
      </div>
      <div className={classes.fields}>{children}</div>
    </section>
  );
}

/** What a query has brought; until then its place, or why it did not come. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  const explain = useExplain();
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorNotice explanation={explain(query.error)} onRetry={() => query.refetch()} />;
  return <Skeleton height={180} />;
}
