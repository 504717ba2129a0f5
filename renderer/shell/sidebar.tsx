import { Button, UnstyledButton } from '@mantine/core';
import {
  IconAlbum,
  IconCloudUpload,
  IconFolderSearch,
  IconKeyboard,
  IconLayersDifference,
  IconPhoto,
  IconSettings,
  IconShieldCog,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '#renderer/components/layout/brand-mark.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';
import { useAppUploads } from '#renderer/upload/queue/app-uploads.ts';
import { useChooseFiles } from '#renderer/upload/sources/intake.tsx';
import { UploadMenuButton } from '#renderer/upload/sources/upload-menu-button.tsx';
import classes from './shell.module.css';
import { StorageMeter } from './storage-meter.tsx';

/** The pages in the sidebar. */
export const PLACES = [
  { to: '/', label: 'nav.pictures', Icon: IconPhoto, exact: true },
  { to: '/albums', label: 'nav.albums', Icon: IconAlbum, exact: false },
  { to: '/duplicates', label: 'nav.duplicates', Icon: IconLayersDifference, exact: false },
  { to: '/trash', label: 'nav.trash', Icon: IconTrash, exact: false },
  { to: '/settings', label: 'nav.settings', Icon: IconSettings, exact: false },
] as const;

/** Navigation on screens wider than a phone; a rail of icons where space is short. */
export function Sidebar({ onShortcuts }: { onShortcuts: () => void }) {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const choose = useChooseFiles();
  return (
    <nav aria-label={t('nav.label')} className={classes.sidebar}>
      <Link to="/" className={classes.brand}>
        <BrandMark size={30} />
        <span className={classes.wide}>{config?.site_name ?? 'Pixdock'}</span>
      </Link>
      <div className={classes.uploadButtons}>
        <Button className={classes.uploadButton} onClick={choose} aria-label={t('nav.upload')}>
          <IconUpload size={18} aria-hidden />
          <span className={classes.wide}>{t('nav.upload')}</span>
        </Button>
        <UploadMenuButton className={classes.uploadMenu} />
      </div>
      <div className={classes.nav}>
        {PLACES.map(({ to, label, Icon, exact }) => (
          <Link key={to} to={to} className={classes.place} activeOptions={{ exact, includeSearch: false }} aria-label={t(label)}>
            <Icon size={20} stroke={1.7} aria-hidden />
            <span className={classes.wide}>{t(label)}</span>
          </Link>
        ))}
        <UploadsLink />
        <FoldersLink />
        <AdminLink />
      </div>
      <div className={classes.spacer} />
      <StorageMeter />
      <div className={classes.foot}>
        <AccountLink />
        <UnstyledButton
          className={classes.help}
          aria-label={t('shortcuts.title')}
          title={`${t('shortcuts.title')} (?)`}
          onClick={onShortcuts}
        >
          <IconKeyboard size={20} stroke={1.7} aria-hidden />
        </UnstyledButton>
      </div>
    </nav>
  );
}

function AdminLink() {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  if (session?.user?.role !== 'admin') return null;
  return (
    <Link to="/admin" className={classes.place} aria-label={t('nav.admin')}>
      <IconShieldCog size={20} stroke={1.7} aria-hidden />
      <span className={classes.wide}>{t('nav.admin')}</span>
    </Link>
  );
}

function AccountLink() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: session } = useQuery(sessionQuery);
  const name = session?.user?.username ?? '';
  return (
    <Link to="/settings/account" className={classes.account} aria-label={format.labelled(t('nav.account'), name)}>
      <span className={classes.initial} aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className={classes.wide}>{name}</span>
    </Link>
  );
}

/** The link to the desktop app's own uploads, with the number of those that aren't done. */
function UploadsLink() {
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

/** The link to the watch folders, which only the desktop app has. */
function FoldersLink() {
  const { t } = useTranslation();
  if (!desktopBridge()) return null;
  return (
    <Link to="/folders" className={classes.place} aria-label={t('nav.folders')}>
      <IconFolderSearch size={20} stroke={1.7} aria-hidden />
      <span className={classes.wide}>{t('nav.folders')}</span>
    </Link>
  );
}
