import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './page-loading.module.css';

/** In the place of a page whose code is on its way, so that a press shows its effect on a slow connection and during an outage. */
export function PageLoading() {
  const { t } = useTranslation();
  return (
    <div className={classes.page} role="status" aria-label={t('common.loading')}>
      <Skeleton className={classes.title} />
      <Skeleton className={classes.block} />
    </div>
  );
}
