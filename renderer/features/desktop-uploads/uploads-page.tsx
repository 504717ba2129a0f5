import { Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconCloudUpload, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { UploadSection, UploadStatus } from '#api/desktop/uploads.ts';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState, ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { Questions } from '#renderer/components/notices/questions.tsx';
import { shortcutLabel } from '#renderer/platform/accelerator.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { desktopQuery } from '#renderer/service/desktop.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { useAppUploads } from '#renderer/upload/queue/app-uploads.ts';
import { UploadRow } from './upload-row.tsx';
import classes from './uploads.module.css';
import { uploadsQuery, useFreshLists, useUploadActions } from './uploads.ts';

/** The desktop app's own uploads: waiting, failed and done. */
export function DesktopUploadsPage() {
  const bridge = desktopBridge();
  const { t } = useTranslation();
  usePageTitle(t('desktopUploads.title'));
  if (!bridge) return <EmptyState order={1} art={null} title={t('desktopUploads.title')} text={t('computer.onlyInApp')} />;
  return (
    <Questions>
      <Uploads bridge={bridge} />
    </Questions>
  );
}

function Uploads({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const status = useAppUploads();
  useFreshLists(status);
  if (!status) return <Skeleton height={240} m="xl" />;
  const isEmpty = openCount(status) + status.failed + status.done === 0;
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div>
          <Title order={1}>{t('desktopUploads.title')}</Title>
          <Text c="dimmed" size="sm" maw="60ch">
            {t('desktopUploads.intro')}
          </Text>
        </div>
      </header>
      <Summary bridge={bridge} status={status} />
      {isEmpty && <Nothing bridge={bridge} />}
      {openCount(status) > 0 && (
        <Section bridge={bridge} section="open" count={openCount(status)} actions={<CancelAll {...{ bridge, status }} />} />
      )}
      {status.failed > 0 && <Section bridge={bridge} section="failed" count={status.failed} actions={<FailedActions bridge={bridge} />} />}
      {status.done > 0 && <Section bridge={bridge} section="done" count={status.done} />}
    </div>
  );
}

function Nothing({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const { data: preferences } = useQuery(desktopQuery(bridge));
  if (!preferences) return null;
  const { shortcut, shortcutState } = preferences;
  const keys = shortcut && (shortcutState === 'active' || shortcutState === 'unchecked') && shortcutLabel(shortcut, bridge.platform);
  return (
    <EmptyState
      art={<IconCloudUpload size={48} stroke={1.2} aria-hidden />}
      title={t('desktopUploads.nothing')}
      text={keys ? t('desktopUploads.nothingText', { keys }) : t('desktopUploads.nothingTextNoKeys')}
    />
  );
}

const openCount = ({ sending, queued, paused }: UploadStatus) => sending + queued + paused;

/** What the queue is doing, in a line, and the switch that pauses it. */
function Summary({ bridge, status }: { bridge: DesktopBridge; status: UploadStatus }) {
  const { t } = useTranslation();
  const { pause } = useUploadActions(bridge);
  const { isPaused, isWaiting, reason, doneToday, forOthers } = status;
  const left = status.sending + status.queued;
  const state = isPaused ? 'paused' : left === 0 ? 'idle' : isWaiting ? 'waiting' : 'running';
  const line = {
    paused: t('desktopUploads.paused'),
    idle: status.failed > 0 ? t('desktopUploads.someFailed', { count: status.failed }) : t('desktopUploads.allDone'),
    waiting: t('desktopUploads.waiting', { count: left }),
    running: t('desktopUploads.running', { count: left }),
  }[state];
  const aside = [
    state === 'waiting' && reason,
    forOthers > 0 && t('desktopUploads.forOthers', { count: forOthers }),
    doneToday > 0 && t('desktopUploads.doneToday', { count: doneToday }),
  ].filter(Boolean);
  return (
    <section className={classes.summary} data-state={state}>
      <div>
        <strong role="status">{line}</strong>
        {aside.map((text) => (
          <p key={String(text)}>{text}</p>
        ))}
      </div>
      <Button
        variant={isPaused ? 'filled' : 'default'}
        leftSection={isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
        onClick={() => pause(!isPaused)}
      >
        {t(isPaused ? 'desktopUploads.resumeAll' : 'desktopUploads.pauseAll')}
      </Button>
    </section>
  );
}

interface SectionProps {
  bridge: DesktopBridge;
  section: UploadSection;
  count: number;
  actions?: ReactNode;
}

function Section({ bridge, section, count, actions }: SectionProps) {
  const { t } = useTranslation();
  const explain = useExplain();
  const list = useInfiniteQuery(uploadsQuery(bridge, section));
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section className={classes.section} aria-labelledby={`uploads-${section}`}>
      <header>
        <Title order={2} size="h4" id={`uploads-${section}`}>
          {t(`desktopUploads.${section}`)} <span className={classes.count}>{count}</span>
        </Title>
        {actions}
      </header>
      {list.isError && <ErrorNotice explanation={explain(list.error)} onRetry={() => void list.refetch()} />}
      <ul className={classes.list}>
        {items.map((upload) => (
          <UploadRow key={upload.id} bridge={bridge} upload={upload} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('desktopUploads.more')}
        </Button>
      )}
    </section>
  );
}

function CancelAll({ bridge, status }: { bridge: DesktopBridge; status: UploadStatus }) {
  const { t } = useTranslation();
  const { change } = useUploadActions(bridge);
  const count = openCount(status);
  const ask = () =>
    modals.openConfirmModal({
      title: t('desktopUploads.cancelAllAsk', { count }),
      children: <Text size="sm">{t('desktopUploads.cancelAllText')}</Text>,
      labels: { confirm: t('desktopUploads.cancelAll'), cancel: t('desktopUploads.keep') },
      confirmProps: { color: 'red.8' },
      onConfirm: () => change('discard', 'all'),
    });
  return (
    <Button variant="subtle" color="gray" size="compact-sm" onClick={ask}>
      {t('desktopUploads.cancelAll')}
    </Button>
  );
}

function FailedActions({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const { change } = useUploadActions(bridge);
  return (
    <Group gap="xs">
      <Button variant="light" size="compact-sm" onClick={() => change('retry', 'all')}>
        {t('desktopUploads.retryAll')}
      </Button>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={() => change('dismiss', 'all')}>
        {t('desktopUploads.dismissAll')}
      </Button>
    </Group>
  );
}
