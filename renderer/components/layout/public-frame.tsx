import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { ButtonLink } from '#renderer/plain/button.tsx';
import { ErrorNotice } from '#renderer/plain/error-notice.tsx';
import type { Explanation } from '#renderer/service/explain.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { BrandMark, BrandName, useBrand } from './brand.tsx';
import classes from './public-frame.module.css';

/** The frame around public pages: the site's name, and a link to the viewer's own images or to sign-in. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  return (
    <div className={classes.frame}>
      <header className={classes.header}>
        <a href="/" className={classes.brand}>
          <BrandMark size={26} />
          <BrandName className={classes.name} />
        </a>
        {session && (
          <ButtonLink size="compact-sm" variant="subtle" href={session.user ? '/' : '/sign-in'}>
            {session.user ? t('public.toPictures') : t('public.signIn')}
          </ButtonLink>
        )}
      </header>
      <main className={classes.main}>{children}</main>
    </div>
  );
}

/** The titles of the page and of what is open above it, which comes first. */
const titles: { page?: string; picture?: string } = {};

/** Sets the document's title. Until `title` is known, the one that the service rendered stays. */
export function usePageTitle(title: string | undefined, of: keyof typeof titles = 'page') {
  const { site_name: site } = useBrand();
  useEffect(() => {
    if (!title) return;
    const show = () => {
      const shown = titles.picture ?? titles.page;
      document.title = shown ? `${shown} · ${site}` : site;
    };
    titles[of] = title;
    show();
    return () => {
      delete titles[of];
      show();
    };
  }, [title, of, site]);
}

interface CardProps {
  art: ReactNode;
  title: string;
  text: string;
  /** 2 if the page has a heading already. */
  order?: 1 | 2;
  children?: ReactNode;
}

/** A short centred message where a public page has nothing to show, or not yet. */
export function PublicCard({ art, title, text, order = 1, children }: CardProps) {
  return (
    <section className={classes.card}>
      <div className={classes.art} aria-hidden="true">
        {art}
      </div>
      {order === 1 ? <h1>{title}</h1> : <h2>{title}</h2>}
      <p>{text}</p>
      {children}
    </section>
  );
}

/** Why a public page couldn't be loaded. */
export function PublicError(props: { explanation: Explanation; onRetry: () => void }) {
  return (
    <div className={classes.error}>
      <ErrorNotice {...props} />
    </div>
  );
}
