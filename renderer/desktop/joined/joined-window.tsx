import { Button, Text, Title } from '@mantine/core';
import {
  IconCloudUpload,
  IconExternalLink,
  IconFolderSearch,
  IconPhoto,
  IconSend,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { JoinedHost, JoinedPart, JoinState } from '#api/desktop/joining.ts';
import { PixdockMark } from '#renderer/components/layout/pixdock-mark.tsx';
import { Questions } from '#renderer/components/notices/questions.tsx';
import { HostFacts } from '#renderer/desktop/host-facts.tsx';
import { FoldersPage } from '#renderer/features/folders/folders-page.tsx';
import { ComputerSettings } from '#renderer/features/settings/computer/computer-page.tsx';
import { Setting } from '#renderer/features/settings/setting.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import shell from '#renderer/shell/shell.module.css';
import { useAppUploads } from '#renderer/upload/queue/app-uploads.ts';
import { DropOverlayFrame } from '#renderer/upload/sources/drop-overlay.tsx';
import { ConnectionNotice } from './connection.tsx';
import { useIntake } from './intake.ts';
import classes from './joined.module.css';
import { Uploader } from './uploader.tsx';

const PARTS: readonly JoinedPart[] = ['uploads', 'folders', 'settings'];
const ICONS: Record<JoinedPart, TablerIcon> = { uploads: IconCloudUpload, folders: IconFolderSearch, settings: IconSettings };

interface Props {
  bridge: DesktopBridge;
  host: JoinedHost;
  joining: JoinState;
}

/** The window of a joined app, laid out like the web application: an uploader, the watch folders and the settings of this computer. */
export function JoinedWindow({ bridge, host, joining }: Props) {
  const { t } = useTranslation('desktop');
  const { t: tApp } = useTranslation();
  const part = usePart(bridge);
  const intake = useIntake(bridge, host.limits);
  useEffect(() => {
    document.title = `${tApp(`nav.${part}`)} · ${host.name}`;
  }, [part, host.name, tApp]);
  return (
    <>
      <div className={shell.shell}>
        <nav aria-label={tApp('nav.label')} className={shell.sidebar}>
          <span className={shell.brand} title={host.name}>
            <PixdockMark size={30} />
            <span className={shell.wide}>{host.name}</span>
          </span>
          <div className={shell.nav}>
            <Entries host={host} part={part} look={{ entry: shell.place, text: shell.wide, size: 20 }} />
          </div>
        </nav>
        <div className={shell.page}>
          <main>
            <ConnectionNotice bridge={bridge} host={host} joining={joining} />
            {part === 'uploads' && (
              <Questions>
                <Uploader bridge={bridge} host={host} intake={intake} />
              </Questions>
            )}
            {part === 'folders' && <FoldersPage />}
            {part === 'settings' && <JoinedSettings bridge={bridge} host={host} />}
          </main>
        </div>
        <nav aria-label={tApp('nav.label')} className={shell.bottomBar}>
          <Entries host={host} part={part} look={{ entry: shell.tab, size: 22 }} />
        </nav>
      </div>
      {intake.isDragging && <DropOverlayFrame title={t('joined.dropNow', { name: host.name })} limits={host.limits} />}
    </>
  );
}

interface EntriesProps {
  host: JoinedHost;
  part: JoinedPart;
  look: { entry: string | undefined; text?: string | undefined; size: number };
}

/** The entries of the navigation, in the sidebar or at the foot of a narrow window. */
function Entries({ host, part, look: { entry, text, size } }: EntriesProps) {
  const { t } = useTranslation('desktop');
  const { t: tApp } = useTranslation();
  const status = useAppUploads();
  const left = status ? status.sending + status.queued + status.paused + status.failed : 0;
  const link = (id: JoinedPart) => {
    const Icon = ICONS[id];
    const isHere = id === part;
    return (
      <a
        key={id}
        href={`#${id}`}
        className={entry}
        aria-label={tApp(`nav.${id}`)}
        aria-current={isHere ? 'page' : undefined}
        data-status={isHere ? 'active' : undefined}
      >
        <Icon size={size} stroke={1.7} aria-hidden />
        <span className={text}>{tApp(`nav.${id}`)}</span>
        {id === 'uploads' && text !== undefined && left > 0 && (
          <span className={shell.badge} data-problem={(status?.failed ?? 0) > 0 || undefined}>
            {left > 999 ? '999+' : left}
          </span>
        )}
      </a>
    );
  };
  const outside = (id: 'gallery' | 'received', Icon: TablerIcon, page: string) => (
    <a
      href={host.url + page}
      target="_blank"
      rel="noreferrer"
      className={entry}
      title={t('joined.galleryHint')}
      aria-label={t(`joined.${id}Label`)}
    >
      <Icon size={size} stroke={1.7} aria-hidden />
      <span className={text}>{t(`joined.${id}`)}</span>
      {text !== undefined && <IconExternalLink className={shell.wide} size={16} stroke={1.7} aria-hidden />}
    </a>
  );
  return (
    <>
      {link('uploads')}
      {link('folders')}
      {outside('gallery', IconPhoto, '')}
      {outside('received', IconSend, '/sent')}
      {link('settings')}
    </>
  );
}

/** The page that the part of the address behind the `#` names: it stays after a reload, and the links to it are links. */
function usePart(bridge: DesktopBridge): JoinedPart {
  const [part, setPart] = useState(partOfAddress);
  useEffect(() => {
    const follow = () => {
      setPart(partOfAddress());
      if (!location.hash.includes('/')) scrollTo(0, 0);
    };
    const end = bridge.onOpenPart((next) => {
      location.hash = next;
    });
    addEventListener('hashchange', follow);
    return () => {
      end();
      removeEventListener('hashchange', follow);
    };
  }, [bridge]);
  return part;
}

/** `#settings/network` names a group of the settings. */
const partOfAddress = () => PARTS.find((part) => location.hash.slice(1).split('/')[0] === part) ?? 'uploads';

/** The settings of this computer, and its connection to the server. */
function JoinedSettings({ bridge, host: { url, username, encrypted, state } }: { bridge: DesktopBridge; host: JoinedHost }) {
  const { t } = useTranslation('desktop');
  const { t: tApp } = useTranslation();
  const connection = (
    <Setting title={t('joined.server')} hint={t('joined.serverHint', { username })}>
      {() => (
        <>
          <HostFacts url={url} username={username} />
          {!encrypted && state !== 'revoked' && (
            <Text size="sm" c="dimmed" mt="sm">
              {t('joined.plain')}
            </Text>
          )}
          <Button mt="md" variant="default" onClick={() => void bridge.leaveHost()}>
            {t('joined.leave')}
          </Button>
        </>
      )}
    </Setting>
  );
  return (
    <div className={classes.settings}>
      <Title order={1} mb="md">
        {tApp('nav.settings')}
      </Title>
      <ComputerSettings bridge={bridge} linkAddress={url} connection={connection} />
    </div>
  );
}
