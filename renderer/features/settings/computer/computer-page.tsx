import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { IconFolderSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { EditorsStatus } from '#api/desktop/editors.ts';
import type { PreferenceChange } from '#api/desktop/preferences.ts';
import { CopyButton } from '#renderer/components/copying/copy-button.tsx';
import { FormatSelect } from '#renderer/components/forms/format-select.tsx';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { VisibilityChoice } from '#renderer/components/forms/visibility-choice.tsx';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { AlbumsChoice } from '#renderer/features/settings/choices.tsx';
import { Setting, SettingGroup } from '#renderer/features/settings/setting.tsx';
import classes from '#renderer/features/settings/settings.module.css';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { NetworkSharing } from '#renderer/network/network-sharing.tsx';
import { desktopBridge, isServed } from '#renderer/platform/bridge.ts';
import { desktopQuery, uploadAlbumsQuery } from '#renderer/service/desktop.ts';
import { configQuery } from '#renderer/service/queries.ts';
import { editorsQuery, useChangeDesktop, versionQuery } from './desktop.ts';
import { Links } from './links.tsx';
import { LocalCopy } from './local-copy.tsx';
import { Recording } from './recording.tsx';
import type { SectionProps } from './section.ts';
import { CaptureShortcut, ClipboardShortcut } from './shortcuts.tsx';
import { Appearance, Cards, Notifications, Startup, TrayClicks } from './system.tsx';
import { ClipboardWatching, NewPictures, UploadAccount } from './uploads.tsx';

/** The desktop app's settings, which apply to this computer only. */
export function ComputerPage() {
  const bridge = desktopBridge();
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery);
  return bridge ? <ComputerSettings bridge={bridge} linkAddress={config?.base_url} /> : <Text>{t('computer.onlyInApp')}</Text>;
}

interface Props {
  bridge: DesktopBridge;
  /** The start of links; undefined while it loads. */
  linkAddress: string | undefined;
  /** Settings of the connection to a joined server. */
  connection?: ReactNode;
}

const GROUPS = ['capture', 'clipboard', 'links', 'folders', 'editors', 'network', 'system'] as const;
type Group = (typeof GROUPS)[number];

export function ComputerSettings({ bridge, linkAddress, connection }: Props) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const { data: preferences } = useQuery(desktopQuery(bridge));
  const { data: version } = useQuery(versionQuery(bridge));
  const { mutate } = useChangeDesktop(bridge);
  const change = (some: PreferenceChange) => mutate(some, { onError: (error) => notifyError(error) });
  if (!preferences) return <Skeleton height={240} />;
  // Joined hosts give no access to accounts and albums.
  const hosts = isServed();
  const props = { bridge, preferences, change };
  // In the window of a joined app, the start of this part of the address says which of its pages is open.
  const anchorOf = (group: Group) => (hosts ? group : `settings/${group}`);
  const settings: Record<Group, ReactNode> = {
    capture: (
      <>
        <CaptureShortcut {...props} />
        <Recording {...props} />
        <NewPictures {...props} />
        <Format {...props} />
        <LocalCopy {...props} />
      </>
    ),
    clipboard: (
      <>
        <ClipboardShortcut {...props} />
        <ClipboardWatching {...props} />
      </>
    ),
    links: <Links {...props} linkAddress={linkAddress} />,
    folders: (
      <Setting title={t('computer.folders')} hint={t('folders.intro')}>
        {() => (
          <Button
            component="a"
            href={hosts ? '/folders' : '#folders'}
            variant="default"
            leftSection={<IconFolderSearch size={18} aria-hidden />}
          >
            {t('computer.openFolders')}
          </Button>
        )}
      </Setting>
    ),
    editors: (
      <>
        <Editors {...props} />
        {preferences.editors && <EditorImages {...props} />}
      </>
    ),
    network: connection ?? (
      <Setting title={t('network.title')} hint={t('network.hint')}>
        {(label) => <NetworkSharing bridge={bridge} labelledBy={label} share={(lan) => change({ lan })} />}
      </Setting>
    ),
    system: (
      <>
        {hosts ? <UploadAccount {...props} /> : <Appearance {...props} />}
        {bridge.platform !== 'darwin' && <TrayClicks {...props} />}
        <Cards {...props} />
        <Notifications {...props} />
        <Startup {...props} />
      </>
    ),
  };
  return (
    <div>
      <nav className={classes.contents} aria-label={t('computer.contents')}>
        {GROUPS.map((group) => (
          <a key={group} href={`#${anchorOf(group)}`}>
            {t(`computer.groups.${group}`)}
          </a>
        ))}
      </nav>
      {GROUPS.map((group) => (
        <SettingGroup key={group} anchor={anchorOf(group)} title={t(`computer.groups.${group}`)}>
          {settings[group]}
        </SettingGroup>
      ))}
      <Text size="xs" c="dimmed" mt="lg">
        {t('computer.stored')}
      </Text>
      <Text size="xs" c="dimmed">
        {version && t('computer.version', { version })}
      </Text>
    </div>
  );
}

function Format({ preferences: { convert }, change }: SectionProps) {
  const { t } = useTranslation();
  return (
    <Setting title={t('batch.format')} hint={joinSentences(t('computer.formatHint'), t('batch.formatHint'))}>
      {(label) => <FormatSelect aria-labelledby={label} value={convert} onChange={(value) => change({ convert: value })} />}
    </Setting>
  );
}

function Editors({ bridge, preferences: { editors }, change }: SectionProps) {
  const { t } = useTranslation();
  const { data: status, refetch, isFetching } = useQuery(editorsQuery(bridge));
  return (
    <Setting title={t('computer.editors')} hint={t('computer.editorsHint')}>
      {(label) => (
        <>
          <Switch
            aria-labelledby={label}
            size="md"
            checked={editors}
            onChange={(event) => change({ editors: event.currentTarget.checked })}
          />
          {editors && status && <EditorsState status={status} retry={() => void refetch()} retrying={isFetching} />}
        </>
      )}
    </Setting>
  );
}

function EditorsState({ status, retry, retrying }: { status: EditorsStatus; retry: () => void; retrying: boolean }) {
  const { t } = useTranslation();
  if (status.state === 'off') return null;
  if (status.state === 'on')
    return (
      <div className={classes.copyLine}>
        <code className={classes.example}>{`${status.url}/upload`}</code>
        <CopyButton text={`${status.url}/upload`} label={t('computer.copyEditors')} />
      </div>
    );
  const taken = status.state === 'taken';
  const why = taken ? t(status.by === 'uploader' ? 'computer.portOfUploader' : 'computer.portTaken', { port: status.port }) : status.detail;
  return (
    <Alert color="yellow" mt="sm" p="sm" role="status">
      {why}
      <div>
        <Button size="compact-sm" variant="default" mt="xs" loading={retrying} onClick={retry}>
          {t('common.retry')}
        </Button>
      </div>
    </Alert>
  );
}

function EditorImages({ bridge, preferences: { editorVisibility, editorConvert, editorAlbums }, change }: SectionProps) {
  const { t } = useTranslation();
  const { data: albums } = useQuery({ ...uploadAlbumsQuery(bridge), enabled: isServed() });
  return (
    <>
      <Setting title={t('computer.editorVisibility')} hint={t('computer.editorVisibilityHint')}>
        {(label) => <VisibilityChoice label={label} value={editorVisibility} onChange={(value) => change({ editorVisibility: value })} />}
      </Setting>
      <Setting title={t('computer.editorFormat')} hint={t('batch.formatHint')}>
        {(label) => <FormatSelect aria-labelledby={label} value={editorConvert} onChange={(value) => change({ editorConvert: value })} />}
      </Setting>
      {isServed() && (
        <Setting title={t('computer.editorAlbums')}>
          {(label) => (
            <AlbumsChoice label={label} albums={albums} value={editorAlbums} onChange={(value) => change({ editorAlbums: value })} />
          )}
        </Setting>
      )}
    </>
  );
}
