import { Button, Progress, UnstyledButton } from '@mantine/core';
import {
  IconAlbum,
  IconCloudUpload,
  IconFolderSearch,
  IconKeyboard,
  IconLayersDifference,
  IconLogout,
  IconPhoto,
  IconSend,
  IconSettings,
  IconShieldCog,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Avatar } from '#renderer/components/avatar.tsx';
import { BrandMark, BrandName, useBrand } from '#renderer/components/layout/brand.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { load, loadAlone } from '#renderer/service/connection.ts';
import { limitsQuery, sessionQuery } from '#renderer/service/queries.ts';
import { useAppUploads } from '#renderer/upload/queue/app-uploads.ts';
import { useChooseFiles } from '#renderer/upload/sources/intake.tsx';
import { UploadMenuButton } from '#renderer/upload/sources/upload-menu-button.tsx';
import classes from './shell.module.css';

export const SentBadge = lazy(() => loadAlone(() => import('./sent-badge.tsx')).then((module) => ({ default: module.SentBadge })));
const SignOut = lazy(() => load(() => import('./sign-out.tsx')).then((module) => ({ default: module.SignOut })));

/** The pages in the sidebar. */
export const PLACES = [
  { to: '/', label: 'nav.pictures', Icon: IconPhoto, exact: true },
  { to: '/albums', label: 'nav.albums', Icon: IconAlbum, exact: false },
  { to: '/sent', label: 'nav.sent', Icon: IconSend, exact: false },
  { to: '/duplicates', label: 'nav.duplicates', Icon: IconLayersDifference, exact: false },
  { to: '/trash', label: 'nav.trash', Icon: IconTrash, exact: false },
] as const;

/** The last entry, after those that only the desktop app and admins have. */
export const SETTINGS = { to: '/settings', label: 'nav.settings', Icon: IconSettings, exact: false } as const;

/** Navigation on screens wider than a phone; a rail of icons where space is short. */
export function Sidebar({ onShortcuts }: { onShortcuts: () => void }) {
  const { t } = useTranslation();
  const { site_name } = useBrand();
  const choose = useChooseFiles();
  return (
    <nav aria-label={t('nav.label')} className={classes.sidebar}>
      <Link to="/" className={classes.brand} aria-label={site_name}>
        <BrandMark size={30} />
        <BrandName className={classes.wide} />
      </Link>
      <div className={classes.uploadButtons}>
        <Button className={classes.uploadButton} onClick={choose} aria-label={t('nav.upload')}>
          <IconUpload size={18} aria-hidden />
          <span className={classes.wide}>{t('nav.upload')}</span>
        </Button>
        <UploadMenuButton className={classes.uploadMenu} />
      </div>
      <div className={classes.nav}>
        {PLACES.map((place) => (
          <Place key={place.to} {...place} />
        ))}
        <UploadsLink />
        <FoldersLink />
        <AdminLink />
        <Place {...SETTINGS} />
      </div>
      <div className={classes.spacer} />
      <StorageMeter />
      <div className={classes.foot}>
        <AccountLink />
        <UnstyledButton className={classes.help} aria-label={t('nav.shortcuts')} title={`${t('nav.shortcuts')} (?)`} onClick={onShortcuts}>
          <IconKeyboard size={20} stroke={1.7} aria-hidden />
        </UnstyledButton>
        <SignOutButton />
      </div>
    </nav>
  );
}

/** Loads what signs out only when it is pressed. */
function SignOutButton() {
  const { t } = useTranslation();
  const [pressed, setPressed] = useState(false);
  return (
    <>
      <UnstyledButton
        className={classes.help}
        aria-label={t('nav.signOut')}
        title={t('nav.signOut')}
        disabled={pressed}
        onClick={() => setPressed(true)}
      >
        <IconLogout size={20} stroke={1.7} aria-hidden />
      </UnstyledButton>
      {pressed && (
        <Suspense>
          <SignOut onFailed={() => setPressed(false)} />
        </Suspense>
      )}
    </>
  );
}

function Place({ to, label, Icon, exact }: (typeof PLACES)[number] | typeof SETTINGS) {
  const { t } = useTranslation();
  return (
    <Link to={to} className={classes.place} activeOptions={{ exact, includeSearch: false }} aria-label={t(label)}>
      <Icon size={20} stroke={1.7} aria-hidden />
      <span className={classes.wide}>{t(label)}</span>
      {to === '/sent' && (
        <Suspense>
          <SentBadge />
        </Suspense>
      )}
    </Link>
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
      <span className={classes.face}>
        <Avatar user={{ username: name, avatar_url: session?.user?.avatar_url ?? null }} size={28} />
      </span>
      <span className={classes.wide}>{name}</span>
    </Link>
  );
}

/** The link to the desktop app's own uploads, with the number of those that aren't done, drafts included. */
function UploadsLink() {
  const { t } = useTranslation();
  const status = useAppUploads();
  if (!status) return null;
  const left = status.drafts + status.sending + status.queued + status.paused + status.failed;
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

/** The user's storage; the meter needs a quota. */
function StorageMeter() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: limits } = useQuery(limitsQuery);
  if (!limits) return null;
  const used = format.bytes(limits.storage_used_bytes);
  const share = limits.storage_quota_bytes ? limits.storage_used_bytes / limits.storage_quota_bytes : undefined;
  return (
    <div className={classes.storage}>
      <span>
        {share === undefined ? t('nav.used', { used }) : t('nav.usedOf', { used, quota: format.bytes(limits.storage_quota_bytes) })}
      </span>
      {share !== undefined && (
        <Progress size={4} value={share * 100} color={share > 0.9 ? 'red.7' : undefined} aria-label={t('nav.storage')} />
      )}
    </div>
  );
}
