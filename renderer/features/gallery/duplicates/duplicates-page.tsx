import { Button, Skeleton, Text, Title } from '@mantine/core';
import { IconLayersDifference } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState, LoadError } from '#renderer/components/notices/notice.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { isTouch } from '#renderer/platform/touch.ts';
import classes from './duplicates.module.css';
import { duplicatesQuery, idOf, useReview } from './duplicates.tsx';
import { Group } from './group.tsx';

/** Images that are stored twice or look alike, in groups, with a choice of which to keep. */
export function DuplicatesPage() {
  const { t } = useTranslation();
  usePageTitle(t('duplicates.title'));
  const format = useFormat();
  const list = useInfiniteQuery(duplicatesQuery);
  const review = useReview();
  const groups = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const { count = 0, waiting = 0 } = list.data?.pages.at(-1) ?? {};
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Title order={1}>{t('duplicates.title')}</Title>
        {count > 0 && (
          <Text c="dimmed" size="sm" role="status">
            {t('duplicates.count', { count, formatted: format.number(count) })}
          </Text>
        )}
      </header>
      {groups.length > 0 && (
        <Text c="dimmed" size="sm" maw="75ch">
          {joinSentences(t('duplicates.intro'), isTouch() ? '' : t('duplicates.keys'))}
        </Text>
      )}
      {waiting > 0 && (
        <Text c="dimmed" size="sm" mt="xs">
          {t('duplicates.waiting', { count: waiting, formatted: format.number(waiting) })}
        </Text>
      )}
      {list.isPending && <Skeleton height={260} mt="lg" />}
      {list.isError && (
        <LoadError error={list.error} onRetry={() => void list.refetch()}>
          <Skeleton height={260} mt="lg" />
        </LoadError>
      )}
      {list.isSuccess && groups.length === 0 && !list.hasNextPage && (
        <EmptyState
          art={<IconLayersDifference size={48} stroke={1.2} aria-hidden />}
          title={t('duplicates.nothing')}
          text={t('duplicates.nothingText')}
        />
      )}
      {groups.map((group) => (
        <Group
          key={idOf(group)}
          group={group}
          onKeep={(decision) => void review.keep(group, decision)}
          onDifferent={() => void review.markDifferent(group)}
        />
      ))}
      {list.hasNextPage && (
        <Button variant="default" mt="lg" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('tokens.more')}
        </Button>
      )}
    </div>
  );
}
