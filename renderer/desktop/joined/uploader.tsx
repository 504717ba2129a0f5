import { Button, Skeleton, Title } from '@mantine/core';
import { IconExternalLink, IconFolderPlus, IconFolderSearch, IconFolderUp, IconPhotoUp } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { JoinedHost } from '#api/desktop/joining.ts';
import { UploadLists } from '#renderer/features/desktop-uploads/upload-lists.tsx';
import { FolderState } from '#renderer/features/folders/folder-state.tsx';
import { useFolders } from '#renderer/features/folders/folders.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { shortcutLabel } from '#renderer/platform/accelerator.ts';
import { pasteKeys } from '#renderer/platform/clipboard.ts';
import { desktopQuery } from '#renderer/service/desktop.ts';
import { useVideoLimits } from '#renderer/upload/limits.ts';
import { useAppUploads } from '#renderer/upload/queue/app-uploads.ts';
import type { Intake } from './intake.ts';
import classes from './joined.module.css';

interface Props {
  bridge: DesktopBridge;
  host: JoinedHost;
  intake: Intake;
}

/** The first page of the window: where uploads go, ways to begin one, and what became of them. */
export function Uploader({ bridge, host, intake }: Props) {
  const { t } = useTranslation('desktop');
  const { t: tApp } = useTranslation();
  const status = useAppUploads();
  useFreshThumbnails(host.state);
  const { name, username, url, state } = host;
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div>
          <Title order={1}>{tApp('nav.uploads')}</Title>
          <p className={classes.connection} data-state={state} role="status">
            {t(state === 'ready' ? 'joined.connected' : 'joined.notConnected', { name, username })}
          </p>
          <p className={classes.address}>{url}</p>
        </div>
        <Button
          component="a"
          href={url}
          target="_blank"
          rel="noreferrer"
          variant="default"
          title={t('joined.galleryHint')}
          rightSection={<IconExternalLink size={18} aria-hidden />}
        >
          {t('joined.open')}
        </Button>
      </header>
      <DropZone bridge={bridge} host={host} intake={intake} isLarge={status?.done === 0} />
      <FolderLine bridge={bridge} />
      {status ? <UploadLists bridge={bridge} status={status} /> : <Skeleton height={240} />}
    </div>
  );
}

/** Loads missing thumbnails once the host responds again. */
function useFreshThumbnails(state: JoinedHost['state']) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const isMissing = { queryKey: ['desktop', 'thumbnail'], predicate: ({ state: { data } }: { state: { data?: unknown } }) => !data };
    if (state === 'ready') void queryClient.invalidateQueries(isMissing);
  }, [queryClient, state]);
}

/** Says that everything can be dropped and pasted, and has buttons for those who can do neither. */
function DropZone({ bridge, host: { limits }, intake, isLarge }: Props & { isLarge: boolean }) {
  const { t } = useTranslation('desktop');
  const format = useFormat();
  const { data: preferences } = useQuery(desktopQuery(bridge));
  const exts = format.list(limits?.allowed_exts.map((ext) => ext.toUpperCase()) ?? []);
  const accepted =
    limits &&
    (limits.max_file_bytes ? t('joined.accepted', { exts, size: format.bytes(limits.max_file_bytes) }) : t('joined.acceptedAny', { exts }));
  const videos = useVideoLimits(limits);
  const { shortcut, shortcutState, captureShortcut, captureShortcutState } = preferences ?? {};
  const keysOf = (keys: string | null | undefined, state: typeof shortcutState) =>
    keys && (state === 'active' || state === 'unchecked') && shortcutLabel(keys, bridge.platform);
  const [keys, captureKeys] = [keysOf(shortcut, shortcutState), keysOf(captureShortcut, captureShortcutState)];
  const hint = joinSentences(captureKeys ? t('joined.capture', { keys: captureKeys }) : '', keys ? t('joined.everywhere', { keys }) : '');
  return (
    <section className={classes.zone} data-large={isLarge || undefined} aria-label={t('joined.drop')}>
      <IconPhotoUp size={isLarge ? 48 : 36} stroke={1.4} aria-hidden />
      <div className={classes.zoneText}>
        <strong>{t('joined.drop')}</strong>
        <p>{joinSentences(t('joined.paste', { keys: pasteKeys() }), accepted ?? '')}</p>
        {videos && <p>{videos}</p>}
        {hint && <p>{hint}</p>}
      </div>
      <div className={classes.zoneActions}>
        <Button leftSection={<IconPhotoUp size={18} aria-hidden />} onClick={intake.choose}>
          {t('joined.choose')}
        </Button>
        <Button variant="default" leftSection={<IconFolderUp size={18} aria-hidden />} onClick={intake.chooseFolder}>
          {t('joined.chooseFolder')}
        </Button>
      </div>
    </section>
  );
}

/** Folders that are named; the page about them has all. */
const MAX_NAMED = 4;

/** The watch folders in a line, which leads to their page. */
function FolderLine({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const { t: tPage } = useTranslation('desktop');
  const { data: folders } = useFolders(bridge);
  if (!folders) return null;
  const more = folders.length - MAX_NAMED;
  return (
    <section className={classes.folders} aria-label={t('nav.folders')}>
      {folders.slice(0, MAX_NAMED).map(({ id, name, path, status: { state } }) => (
        <a key={id} href="#folders" className={classes.folder} title={path}>
          <IconFolderSearch size={18} stroke={1.7} aria-hidden />
          <span className={classes.folderName} dir="auto">
            {name}
          </span>
          <FolderState state={state} />
        </a>
      ))}
      <a href="#folders" className={classes.folder} data-more>
        <IconFolderPlus size={18} stroke={1.7} aria-hidden />
        {more > 0 ? tPage('joined.moreFolders', { count: more }) : tPage(folders.length > 0 ? 'joined.manageFolders' : 'joined.addFolder')}
      </a>
    </section>
  );
}
