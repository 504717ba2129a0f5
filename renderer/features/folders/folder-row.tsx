import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import {
  IconDots,
  IconFolder,
  IconFolderSymlink,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { FolderOptions, WatchFolder } from '#api/desktop/folders.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import type { TFunction } from '#renderer/i18n/t.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';
import { FolderState } from './folder-state.tsx';
import classes from './folders.module.css';
import { someOf, useFolderActions } from './folders.ts';
import { showAppError } from './show-error.tsx';

interface Props {
  bridge: DesktopBridge;
  folder: WatchFolder;
  onEdit: () => void;
  onHistory: () => void;
}

/** A watch folder: what it is doing, what became of its files, and what can be done with it. */
export function FolderRow({ bridge, folder, onEdit, onHistory }: Props) {
  const { t } = useTranslation();
  const whoCanOpen = useWhoCanOpen();
  const { name, path, status, options } = folder;
  return (
    <li className={classes.row} data-state={status.state} aria-label={name}>
      <IconFolder className={classes.icon} size={28} stroke={1.4} aria-hidden />
      <div className={classes.text}>
        <div className={classes.title}>
          <h2>{name}</h2>
          <FolderState state={status.state} />
        </div>
        <p className={classes.path}>{path}</p>
        <Counts folder={folder} />
        <p className={classes.facts}>{facts(options, t, whoCanOpen).join(' · ')}</p>
        {'reason' in status && (
          <p className={classes.reason} role="status">
            {status.reason}
          </p>
        )}
        {folder.unreadable.count > 0 && (
          <p className={classes.reason} role="status">
            {t('folders.unreadable', { count: folder.unreadable.count, names: someOf(folder.unreadable) })}
          </p>
        )}
        {'notice' in status && status.notice && <p className={classes.notice}>{status.notice}</p>}
      </div>
      <Actions {...{ bridge, folder, onEdit, onHistory }} />
    </li>
  );
}

function Counts({ folder: { counts, status, scannedAt } }: { folder: WatchFolder }) {
  const { t } = useTranslation();
  const format = useFormat();
  const waiting = counts.settling + counts.queued;
  const parts = [
    waiting > 0 && t('folders.waiting', { count: waiting }),
    t('folders.uploaded', { count: counts.uploaded }),
    counts.rejected > 0 && t('folders.rejected', { count: counts.rejected }),
    status.state === 'watching' && scannedAt !== null && t('folders.scanned', { time: format.moment(new Date(scannedAt)) }),
  ].filter(Boolean);
  return <p className={classes.counts}>{parts.join(' · ')}</p>;
}

/** The options in a few words. */
function facts({ recursive, album, visibility, after, poll }: FolderOptions, t: TFunction, whoCanOpen: ReturnType<typeof useWhoCanOpen>) {
  return [
    t(recursive ? 'folders.facts.recursive' : 'folders.facts.flat'),
    whoCanOpen(visibility),
    album.kind === 'fixed' && t('folders.facts.album', { count: album.ids.length }),
    album.kind === 'perFolder' && t('folders.facts.albums'),
    after.kind === 'move' && t('folders.facts.move', { name: after.to }),
    after.kind === 'trash' && t('folders.facts.trash'),
    poll && t('folders.facts.poll'),
  ].filter((fact) => typeof fact === 'string');
}

function Actions({ bridge, folder, onEdit, onHistory }: Props) {
  const { t } = useTranslation();
  const { pause, remove, rescan, repoint } = useFolderActions(bridge);
  const { id, name, status } = folder;
  const paused = status.state === 'paused';
  const onError = showAppError;
  const ask = () =>
    modals.openConfirmModal({
      title: t('folders.removeAsk', { name }),
      children: <Text size="sm">{t('folders.removeText')}</Text>,
      labels: { confirm: t('folders.remove'), cancel: t('common.cancel') },
      confirmProps: { color: 'red.8' },
      onConfirm: () => remove.mutate(id, { onError }),
    });
  return (
    <div className={classes.actions}>
      <Button variant="default" size="xs" h={34} leftSection={<IconHistory size={16} aria-hidden />} onClick={onHistory}>
        {t('folders.history')}
      </Button>
      {status.state === 'waiting' && (
        <Button size="xs" h={34} variant="light" onClick={() => repoint.mutate(id, { onError })}>
          {t('folders.chooseAgain')}
        </Button>
      )}
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t(paused ? 'folders.resumeOne' : 'folders.pauseOne', { name })}
        onClick={() => pause.mutate({ id, paused: !paused }, { onError })}
      >
        {paused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
      </ActionIcon>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t('folders.more', { name })}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
            {t('folders.edit')}
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => rescan.mutate(id, { onError })}>
            {t('folders.rescan')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={() => repoint.mutate(id, { onError })}>
            {t('folders.repoint')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={ask}>
            {t('folders.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
