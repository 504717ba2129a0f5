import { Skeleton, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadError } from '#renderer/components/notices/notice.tsx';
import classes from './admin.module.css';

interface Props {
  title: string;
  intro?: string;
  /** The page's main button. */
  action?: ReactNode;
  children: ReactNode;
}

/** An administration page: title, introduction and content. */
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

/** A group of fields with a title and a hint. */
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

/** A query's data; a placeholder while it loads; a notice with a retry button if it fails. */
export function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError)
    return (
      <LoadError error={query.error} onRetry={() => query.refetch()}>
        <Skeleton height={180} />
      </LoadError>
    );
  return <Skeleton height={180} />;
}
