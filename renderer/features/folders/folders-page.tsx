import { Button, Skeleton, Text, Title } from '@mantine/core';
import { IconFolderPlus, IconFolderSearch, IconPlayerPause, IconPlayerPlay, IconScreenshot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { WatchFolder } from '#api/desktop/folders.ts';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState, ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { Questions } from '#renderer/components/notices/questions.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { FolderForm } from './folder-form.tsx';
import { FolderRow } from './folder-row.tsx';
import classes from './folders.module.css';
import { explainApp, screenshotsQuery, useFolderActions, useFolders } from './folders.ts';
import { History } from './history.tsx';
import { showAppError } from './show-error.tsx';

/** The dialog that is open: a form for a new folder or an existing one, or the history of one. */
type Dialog = { kind: 'add'; path: string } | { kind: 'edit' | 'history'; id: string };

/** The folders of this computer whose pictures are uploaded automatically. */
export function FoldersPage() {
  const bridge = desktopBridge();
  const { t } = useTranslation();
  usePageTitle(t('folders.title'));
  if (!bridge) return <EmptyState order={1} art={null} title={t('folders.title')} text={t('computer.onlyInApp')} />;
  return (
    <Questions>
      <Folders bridge={bridge} />
    </Questions>
  );
}

function Folders({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const { data: folders, isPending, error, refetch } = useFolders(bridge);
  const [dialog, setDialog] = useState<Dialog>();
  const { pause } = useFolderActions(bridge);
  const close = () => setDialog(undefined);
  const chosen = dialog && dialog.kind !== 'add' ? folders?.find(({ id }) => id === dialog.id) : undefined;
  const choose = async () => {
    const path = await bridge.chooseFolder();
    if (path !== null) setDialog({ kind: 'add', path });
  };
  const add = () => void choose().catch(showAppError);
  const allPaused = folders?.every(({ status }) => status.state === 'paused') ?? false;
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div>
          <Title order={1}>{t('folders.title')}</Title>
          <Text c="dimmed" size="sm" maw="60ch">
            {t('folders.intro')}
          </Text>
        </div>
        {folders && folders.length > 0 && (
          <div className={classes.headerActions}>
            <Button
              variant="default"
              leftSection={allPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
              onClick={() => pause.mutate({ paused: !allPaused }, { onError: showAppError })}
            >
              {t(allPaused ? 'folders.resumeAll' : 'folders.pauseAll')}
            </Button>
            <Button leftSection={<IconFolderPlus size={18} aria-hidden />} onClick={add}>
              {t('folders.add')}
            </Button>
          </div>
        )}
      </header>
      {isPending && <Skeleton height={160} />}
      {error && <ErrorNotice explanation={explainApp(error)} onRetry={() => void refetch()} />}
      {folders?.length === 0 && (
        <EmptyState art={<IconFolderSearch size={48} stroke={1.2} aria-hidden />} title={t('folders.empty')} text={t('folders.emptyText')}>
          <Button mt="sm" leftSection={<IconFolderPlus size={18} aria-hidden />} onClick={add}>
            {t('folders.choose')}
          </Button>
        </EmptyState>
      )}
      {folders && folders.length > 0 && (
        <ul className={classes.list}>
          {folders.map((folder) => (
            <FolderRow
              key={folder.id}
              bridge={bridge}
              folder={folder}
              onEdit={() => setDialog({ kind: 'edit', id: folder.id })}
              onHistory={() => setDialog({ kind: 'history', id: folder.id })}
            />
          ))}
        </ul>
      )}
      {folders && <Screenshots bridge={bridge} folders={folders} onChoose={(path) => setDialog({ kind: 'add', path })} />}
      {dialog?.kind === 'add' && <FolderForm bridge={bridge} path={dialog.path} onClose={close} />}
      {dialog?.kind === 'edit' && chosen && <FolderForm bridge={bridge} path={chosen.path} folder={chosen} onClose={close} />}
      {dialog?.kind === 'history' && chosen && <History bridge={bridge} folder={chosen} onClose={close} />}
    </div>
  );
}

/** Offers the system's folder for screenshots. */
function Screenshots({ bridge, folders, onChoose }: { bridge: DesktopBridge; folders: WatchFolder[]; onChoose: (path: string) => void }) {
  const { t } = useTranslation();
  const { data: path } = useQuery(screenshotsQuery(bridge, folders));
  if (!path) return null;
  return (
    <section className={classes.offer} aria-label={t('folders.screenshots')}>
      <IconScreenshot size={28} stroke={1.4} aria-hidden />
      <div>
        <strong>{t('folders.screenshots')}</strong>
        <p>{t('folders.screenshotsText')}</p>
        <p className={classes.path}>{path}</p>
      </div>
      <Button variant="light" onClick={() => onChoose(path)}>
        {t('folders.watchScreenshots')}
      </Button>
    </section>
  );
}
