import { IconFolderSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { desktopBridge } from '#renderer/bridge.ts';
import classes from './shell.module.css';

/** The link to the watch folders, which only the desktop app has. */
export function FoldersLink() {
  const { t } = useTranslation();
  if (!desktopBridge()) return null;
  return (
    <Link to="/folders" className={classes.place} aria-label={t('nav.folders')}>
      <IconFolderSearch size={20} stroke={1.7} aria-hidden />
      <span className={classes.wide}>{t('nav.folders')}</span>
    </Link>
  );
}
