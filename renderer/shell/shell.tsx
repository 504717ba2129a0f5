import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { UploadIntake } from '../upload/intake.tsx';
import { UploadPanel } from '../upload/panel.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

/** The frame around every page of a signed-in person. */
export function Shell() {
  const { t } = useTranslation();
  return (
    <UploadIntake>
      <a className={classes.skip} href="#content">
        {t('app.skip')}
      </a>
      <div className={classes.shell}>
        <Sidebar />
        <div className={classes.page}>
          <ConnectionBanner />
          <main id="content" tabIndex={-1} className={classes.content}>
            <Outlet />
          </main>
        </div>
        <BottomBar />
      </div>
      <UploadPanel />
    </UploadIntake>
  );
}
