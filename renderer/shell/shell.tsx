import { Button } from '@mantine/core';
import { IconCloudUpload, IconFolderSearch, IconPlugConnectedX, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { showCopied } from '#renderer/components/links/copied-notice.tsx';
import { LaterWhoCanOpen } from '#renderer/components/links/later-who-can-open.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { createFollower } from '#renderer/images/list/follow-events.ts';
import { useUndoKey } from '#renderer/images/list/undo.tsx';
import { isOverlaid, isTyping } from '#renderer/images/typing.ts';
import { desktopBridge, onLinkAddress } from '#renderer/platform/bridge.ts';
import type { OtherAddress } from '#renderer/service/compare-addresses.ts';
import { load, reconnect, useConnectionLost } from '#renderer/service/connection.ts';
import { useLoadWhenIdle } from '#renderer/service/idle.ts';
import { follow } from '#renderer/service/live/live.ts';
import { otherAddress, useOtherAddress } from '#renderer/service/other-address.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { useAppUploads } from '#renderer/upload/queue/app-uploads.ts';
import { useUploads } from '#renderer/upload/queue/provider.tsx';
import { UploadIntake, useChooseFiles } from '#renderer/upload/sources/intake.tsx';
import { UploadMenuButton } from '#renderer/upload/sources/upload-menu-button.tsx';
import type { announceReceived as AnnounceReceived } from './received-notice.tsx';
import classes from './shell.module.css';
import { PLACES, SETTINGS, SentBadge, Sidebar } from './sidebar.tsx';

const Shortcuts = lazy(() => load(() => import('./shortcuts.tsx')).then((module) => ({ default: module.Shortcuts })));
const getPanel = () => import('#renderer/upload/panel/panel.tsx');
const UploadPanel = lazy(() => load(getPanel).then((module) => ({ default: module.UploadPanel })));

const getAddressBanner = () => load(() => import('./address-banner.tsx'));
const LazyBanner = lazy(() => getAddressBanner().then((module) => ({ default: module.AddressBanner })));
/** A lazy component is rendered a moment after the page, even if it is loaded. */
let LoadedBanner: ComponentType<{ other: OtherAddress }> | undefined;

/** Loads the banner about the link address where it is shown: appearing later, it would move the page away from under the pointer. */
export async function loadBanner(linkAddress: string, role: string | undefined): Promise<void> {
  if (role === 'admin' && otherAddress(linkAddress)) LoadedBanner = (await getAddressBanner()).AddressBanner;
}

/** The frame of every page that requires signing in. */
export function Shell() {
  const { t } = useTranslation();
  useLinkAddress();
  useEvents();
  useUndoKey();
  useDeliveries();
  const shortcuts = useShortcutSheet();
  return (
    <UploadIntake>
      <a className={classes.skip} href="#content">
        {t('app.skip')}
      </a>
      <div className={classes.shell}>
        <Sidebar onShortcuts={shortcuts.open} />
        <div className={classes.page}>
          <ConnectionBanner />
          <AddressBanner />
          <main id="content" tabIndex={-1} className={classes.content}>
            <Outlet />
          </main>
        </div>
        <BottomBar />
      </div>
      <Uploads />
      <UploadStrip />
      {shortcuts.opened && (
        <Suspense>
          <Shortcuts onClose={shortcuts.close} />
        </Suspense>
      )}
    </UploadIntake>
  );
}

/** Says in the desktop app's window what became of an upload that it has made for another window or program, and who can open the link. */
function useDeliveries() {
  const { t } = useTranslation();
  useEffect(
    () =>
      desktopBridge()?.onDelivery(({ links, count, who, copied }) => {
        if (count === 0) return;
        showCopied({
          title: copied ? t('links.copiedLinks', { count }) : t('upload.allDone', { count }),
          message: <LaterWhoCanOpen visibility={who === 'private' ? 'private' : 'public'} text={links} count={count} />,
          autoClose: who === 'computer' ? 12_000 : 4_000,
        });
      }),
    [t],
  );
}

/** Rarely needed. */
const announce: typeof AnnounceReceived = async (...received) =>
  (await load(() => import('./received-notice.tsx'))).announceReceived(...received);

/** Shows what other programs, tabs and devices change, and leaves the page when they end the session. */
function useEvents() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { t } = useTranslation();
  const latest = useRef(t);
  latest.current = t;
  useEffect(() => {
    const show = createFollower(queryClient);
    const look = async () => {
      // The routes of a user who is signed out lead to sign-in. Where the service can't be reached, the banner says so.
      const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined);
      if (session?.user === null) await router.invalidate();
    };
    return follow(
      (event) => {
        show(event);
        // If it can't be read, the link may have been deleted meanwhile; the list shows what there is.
        if (/^(request|sent)\./.test(event.kind)) void announce(event, latest.current, queryClient).catch(() => undefined);
      },
      () => void look(),
    );
  }, [queryClient, router]);
}

function Uploads() {
  const { items } = useUploads();
  // One that begins during an outage needs it, too.
  useLoadWhenIdle(getPanel);
  if (!items.length) return null;
  return (
    <Suspense>
      <UploadPanel />
    </Suspense>
  );
}

/** The banner is needed rarely, and its dialog is large: its code is loaded when it is shown. */
function AddressBanner() {
  const other = useOtherAddress();
  const { data: session } = useQuery(sessionQuery);
  if (!other || session?.user?.role !== 'admin') return null;
  const Banner = LoadedBanner ?? LazyBanner;
  return (
    <Suspense>
      <Banner other={other} />
    </Suspense>
  );
}

/** Loads everything again when links start with another address, as after the desktop app's LAN switch: loaded pictures have the former links. */
function useLinkAddress() {
  const queryClient = useQueryClient();
  useEffect(() => onLinkAddress(() => void queryClient.invalidateQueries()), [queryClient]);
}

/** Whether to show the list of keyboard shortcuts, which `?` opens on any page. */
function useShortcutSheet() {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== '?' || !plain || event.defaultPrevented || isTyping(event.target)) return;
      // The viewer has shortcuts too; menus and questions don't.
      if (isOverlaid() && document.querySelector('[role="dialog"] [data-stage]') === null) return;
      event.preventDefault();
      setOpened(true);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return { opened, open: () => setOpened(true), close: () => setOpened(false) };
}

/** A line about the desktop app's uploads while there are any, on all pages but theirs. */
function UploadStrip() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const status = useAppUploads();
  if (!status || pathname === '/uploads') return null;
  const left = status.sending + status.queued;
  if (left === 0) return null;
  const line = status.isPaused
    ? t('desktopStatus.paused')
    : t(status.isWaiting ? 'desktopStatus.waiting' : 'desktopStatus.running', { count: left });
  return (
    <div className={classes.strip}>
      <span role="status">{line}</span>
      <Link to="/uploads">{t('desktopStatus.show')}</Link>
    </div>
  );
}

/** Navigation on phones, within reach of the thumb, with the upload button in the middle. */
function BottomBar() {
  const { t } = useTranslation();
  const choose = useChooseFiles();
  // There is no room for duplicates and what was sent, which the gallery's view menu and the albums lead to.
  const places = [...PLACES, SETTINGS]
    .filter(({ to }) => to !== '/duplicates' && to !== '/sent')
    .map(({ to, label, Icon, exact }) => (
      <Link key={to} to={to} className={classes.tab} activeOptions={{ exact, includeSearch: false }}>
        <Icon size={22} stroke={1.7} aria-hidden />
        {t(label)}
        {/* There, they lead to what was sent. */}
        {to === '/albums' && (
          <Suspense>
            <SentBadge />
          </Suspense>
        )}
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

/** Shows that the service can't be reached, until it is back. */
function ConnectionBanner() {
  const { t } = useTranslation();
  const lost = useConnectionLost();
  if (!lost) return null;
  return (
    <div className={classes.banner} role="alert">
      <IconPlugConnectedX size={20} aria-hidden />
      <span>
        <strong>{t('connection.lost')}</strong> {t('connection.trying')}
      </span>
      <Button size="xs" variant="white" color="dark" onClick={() => void reconnect()}>
        {t('connection.retry')}
      </Button>
    </div>
  );
}
