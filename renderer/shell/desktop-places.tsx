import { IconCloudUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useAppUploads } from '#renderer/upload/queue/app-uploads.ts';
import classes from './shell.module.css';

/** Pages that only the desktop app has, with the number of uploads that aren't done. */
export function DesktopPlaces() {
  const { t } = useTranslation();
  const status = useAppUploads();
  if (!status) return null;
  const left = status.sending + status.queued + status.paused + status.failed;
  return (
    <Link to="/uploads" className={classes.place} aria-label={t('nav.uploads')}>
      <IconCloudUpload size={20} stroke={1.7} aria-hidden />
      <span className={classes.wide}>{t('nav.uploads')}</span>
      {left > 0 && (
        <span className={classes.badge} data-problem={status.failed > 0 || undefined}>
          {left > 999 ? '999+' : left}
        </span>
      )}
    </Link>
  );
}
