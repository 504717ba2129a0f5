import { IconCloudUpload, IconFolderSearch, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { useChooseFiles } from '#renderer/upload/sources/intake.tsx';
import { UploadMenuButton } from '#renderer/upload/sources/upload-menu-button.tsx';
import classes from './shell.module.css';
import { PLACES, SETTINGS } from './sidebar.tsx';

/** Navigation on phones, within reach of the thumb, with the upload button in the middle. */
export function BottomBar() {
  const { t } = useTranslation();
  const choose = useChooseFiles();
  // There is no room for duplicates, which the gallery's view menu leads to.
  const places = [...PLACES, SETTINGS]
    .filter(({ to }) => to !== '/duplicates')
    .map(({ to, label, Icon, exact }) => (
      <Link key={to} to={to} className={classes.tab} activeOptions={{ exact, includeSearch: false }}>
        <Icon size={22} stroke={1.7} aria-hidden />
        {t(label)}
      </Link>
    ));
  return (
    <nav className={classes.bottomBar} aria-label={t('nav.label')}>
      {places.slice(0, 2)}
      {desktopBridge() && (
        <Link to="/uploads" className={classes.tab}>
          <IconCloudUpload size={22} stroke={1.7} aria-hidden />
          {t('nav.uploads')}
        </Link>
      )}
      <div className={classes.tabUploads}>
        <button type="button" className={classes.tabUpload} onClick={choose} aria-label={t('nav.upload')}>
          <IconPlus size={24} stroke={2} aria-hidden />
        </button>
        <UploadMenuButton className={classes.tabMenu} />
      </div>
      {desktopBridge() && (
        <Link to="/folders" className={classes.tab}>
          <IconFolderSearch size={22} stroke={1.7} aria-hidden />
          {t('nav.folders')}
        </Link>
      )}
      {places.slice(2)}
    </nav>
  );
}
