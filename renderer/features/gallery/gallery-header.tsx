import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/format.ts';
import { load } from '../../service/connection.ts';
import { limitsQuery } from '../../service/queries.ts';
import classes from './gallery.module.css';

// Its popover is no part of the first load.
const ViewMenu = lazy(() => load(() => import('./view-menu.tsx')).then((module) => ({ default: module.ViewMenu })));

/** What the gallery is called, how much is in it, and how it is shown. */
export function GalleryHeader({ empty }: { empty: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: limits } = useQuery(limitsQuery);
  const count = limits?.image_count ?? 0;
  return (
    <header className={classes.header}>
      <Title order={1}>{t('nav.pictures')}</Title>
      {count > 0 && (
        <Text c="dimmed" size="sm" className={classes.count}>
          {t('gallery.count', { count, formatted: format.number(count) })}
        </Text>
      )}
      <div className={classes.grow} />
      {!empty && (
        <Suspense>
          <ViewMenu />
        </Suspense>
      )}
    </header>
  );
}
