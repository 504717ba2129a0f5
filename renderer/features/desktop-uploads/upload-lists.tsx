import { Button, Group, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { UploadSection, UploadStatus } from '#api/desktop/uploads.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { UploadRow } from './upload-row.tsx';
import classes from './uploads.module.css';
import { uploadsQuery, useFreshLists, useUploadActions } from './uploads.ts';

interface Props {
  bridge: DesktopBridge;
  status: UploadStatus;
  /** Shown while there are no uploads. */
  children?: ReactNode;
}

/** The queue in a line, and the lists of its uploads. Questions need a provider around it. */
export function UploadLists({ bridge, status, children }: Props) {
  useFreshLists(bridge);
  const open = openCount(status);
  const isEmpty = status.drafts + open + status.failed + status.done === 0;
  return (
    <>
      {(!isEmpty || status.isPaused) && <Summary bridge={bridge} status={status} />}
      {isEmpty && children}
      {status.drafts > 0 && <Section bridge={bridge} section="draft" count={status.drafts} />}
      {open > 0 && <Section bridge={bridge} section="open" count={open} actions={<CancelAll {...{ bridge, status }} />} />}
      {status.failed > 0 && <Section bridge={bridge} section="failed" count={status.failed} actions={<FailedActions bridge={bridge} />} />}
      {status.done > 0 && <Section bridge={bridge} section="done" count={status.done} actions={<ClearDone bridge={bridge} />} />}
    </>
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
    paused: t('desktopStatus.paused'),
    idle:
      status.failed > 0
        ? t('desktopUploads.someFailed', { count: status.failed })
        : status.drafts > 0
          ? t('desktopUploads.someDrafts', { count: status.drafts })
          : t('desktopUploads.allDone'),
    waiting: t('desktopStatus.waiting', { count: left }),
    running: t('desktopStatus.running', { count: left }),
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

/** Pictures and links stay: no question is needed. */
function ClearDone({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const { change } = useUploadActions(bridge);
  return (
    <Button variant="subtle" color="gray" size="compact-sm" onClick={() => change('forget', 'all')}>
      {t('desktopUploads.clearDone')}
    </Button>
  );
}
