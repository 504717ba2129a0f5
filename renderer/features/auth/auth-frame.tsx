import type { ReactNode } from 'react';
import { BrandMark } from '#renderer/components/layout/brand.tsx';
import { Mosaic } from '#renderer/components/layout/mosaic.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './auth-frame.module.css';

/** The page of sign-in, registration and setup: the form beside a wall of frames. */
export function AuthFrame({ title, intro, children }: { title: string; intro?: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={classes.frame}>
      <main className={classes.form}>
        <div className={classes.column}>
          <BrandMark size={44} />
          <h1>{title}</h1>
          {intro && <p className={classes.intro}>{intro}</p>}
          {children}
        </div>
      </main>
      <aside className={classes.wall}>
        <Mosaic inset="-4% -8% 22% -4%" />
        <p className={classes.tagline}>{t('app.tagline')}</p>
      </aside>
    </div>
  );
}
