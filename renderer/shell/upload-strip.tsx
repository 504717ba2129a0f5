import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useAppUploads } from '#renderer/upload/queue/app-uploads.ts';
import classes from './shell.module.css';

/** A line about the desktop app's uploads while there are any, on all pages but theirs. */
export function UploadStrip() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const status = useAppUploads();
  if (!status || pathname === '/uploads') return null;
  const left = status.sending + status.queued;
  if (left === 0) return null;
  const line = status.isPaused
    ? t('desktopUploads.paused')
    : t(status.isWaiting ? 'desktopUploads.waiting' : 'desktopUploads.running', { count: left });
  return (
    <div className={classes.strip}>
      <span role="status">{line}</span>
      <Link to="/uploads">{t('desktopUploads.show')}</Link>
    </div>
  );
}
