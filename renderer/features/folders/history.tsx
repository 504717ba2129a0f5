import { Button, Modal, Skeleton, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { FolderEvent, WatchFolder } from '#api/desktop/folders.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { gapAfter, joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { isServed } from '#renderer/platform/bridge.ts';
import classes from './folders.module.css';
import { eventsQuery, explainApp } from './folders.ts';

const SEARCH_DELAY = 250;

interface Props {
  bridge: DesktopBridge;
  folder: WatchFolder;
  onClose: () => void;
}

/** What happened to the files of a folder. */
export function History({ bridge, folder, onClose }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), SEARCH_DELAY);
  const list = useInfiniteQuery(eventsQuery(bridge, folder.id, search));
  const { refetch } = list;
  const { settling, queued, uploaded, rejected } = folder.counts;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other counts mean that something has happened
  useEffect(() => void refetch(), [refetch, settling, queued, uploaded, rejected]);
  const events = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Modal opened onClose={onClose} title={t('folders.historyOf', { name: folder.name })} size="lg">
      <TextInput
        aria-label={t('folders.search')}
        placeholder={t('folders.search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      {list.isPending && <Skeleton height={160} mt="md" />}
      {list.isError && <ErrorNotice explanation={explainApp(list.error)} onRetry={() => void refetch()} />}
      {list.isSuccess && events.length === 0 && (
        <Text c="dimmed" ta="center" py="xl">
          {t(search ? 'folders.nothingFound' : 'folders.nothingHappened')}
        </Text>
      )}
      <ul className={classes.events}>
        {events.map((event) => (
          <Happened key={event.id} event={event} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="subtle" fullWidth loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('folders.earlier')}
        </Button>
      )}
    </Modal>
  );
}

function Happened({ event: { file, what, at, reason, other, key } }: { event: FolderEvent }) {
  const { t } = useTranslation();
  const format = useFormat();
  const happened = joinSentences(t(`folders.events.${what}`, { other: other ?? '' }), reason ?? '');
  return (
    <li className={classes.event} data-what={what}>
      <div>
        <strong>{file}</strong>
        <p>
          {happened}
          {gapAfter(happened)}
          {key && isServed() && (
            <Link to="/" search={{ picture: key }}>
              {t('folders.openPicture')}
            </Link>
          )}
        </p>
      </div>
      <time dateTime={new Date(at).toISOString()}>{format.moment(new Date(at))}</time>
    </li>
  );
}
