import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
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
