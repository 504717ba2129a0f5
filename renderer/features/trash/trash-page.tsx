import { Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TRASH_DAYS } from '#api/constants.ts';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState, ErrorNotice, useNotifyError } from '#renderer/components/notices/notice.tsx';
import { Questions } from '#renderer/components/notices/questions.tsx';
import { useSelection } from '#renderer/images/selection/use-selection.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import classes from './trash.module.css';
import { type Trashed, trashQuery, useTrashActions } from './trash.ts';
import { TrashItem } from './trash-item.tsx';

/** Deleted and expired images, as long as they can be restored. */
export function TrashPage() {
  const { t } = useTranslation();
  usePageTitle(t('trash.title'));
  return (
    <Questions>
      <Trash />
    </Questions>
  );
}

function Trash() {
  const { t } = useTranslation();
  const explain = useExplain();
  const list = useInfiniteQuery(trashQuery);
  const images = list.data?.pages.flatMap((page) => page.items) ?? [];
  const selection = useSelection(images);
  const present = images.filter(({ key }) => selection.images.has(key));
  const actions = useActions(selection.clear);
  // Those that have expired are restored once their owner has chosen until when.
  const [asked, setAsked] = useState<readonly Trashed[]>();
  const restore = (some: readonly Trashed[]) => {
    if (some.some(({ reason }) => reason === 'expired')) setAsked(some);
    else actions.restore(some);
  };
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <div>
          <Title order={1}>{t('trash.title')}</Title>
          <Text c="dimmed" size="sm">
            {t('trash.intro', { count: TRASH_DAYS })}
          </Text>
        </div>
        {images.length > 0 && (
          <Group gap="xs" className={classes.actions}>
            {present.length > 0 ? (
              <>
                <Text size="sm" fw={600} role="status">
                  {t('selection.selected', { count: present.length, formatted: present.length })}
                </Text>
                <Button onClick={() => restore(present)}>{t('trash.restore')}</Button>
                <Button variant="light" color="red" onClick={() => actions.purge(present.map(({ key }) => key))}>
                  {t('trash.purge')}
                </Button>
              </>
            ) : (
              <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => actions.empty(images.length)}>
                {t('trash.empty')}
              </Button>
            )}
          </Group>
        )}
      </header>
      {list.isPending && <Skeleton height={160} />}
      {list.isError && <ErrorNotice explanation={explain(list.error)} onRetry={() => void list.refetch()} />}
      {list.isSuccess && !images.length && (
        <EmptyState art={<IconTrash size={48} stroke={1.2} aria-hidden />} title={t('trash.nothing')} text={t('trash.nothingText')} />
      )}
      {images.length > 0 && (
        <ul className={classes.grid} aria-label={t('trash.title')}>
          {images.map((image) => (
            <TrashItem
              key={image.key}
              image={image}
              chosen={selection.images.has(image.key)}
              onToggle={() => selection.toggle(image)}
              onRestore={() => restore([image])}
              onPurge={() => actions.purge([image.key])}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button variant="default" mt="lg" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('tokens.more')}
        </Button>
      )}
      {asked && (
        <RestoreDialog
          images={asked}
          onClose={() => setAsked(undefined)}
          onRestore={(expires_in) => {
            setAsked(undefined);
            actions.restore(asked, expires_in);
          }}
        />
      )}
    </div>
  );
}

/** The actions, with confirmation and notifications. Calls `onDone` when images have left the trash. */
function useActions(onDone: () => void) {
  const { t } = useTranslation();
  const notifyError = useNotifyError();
  const { restore, purge, empty } = useTrashActions();
  const say = (title: string) => notifications.show({ color: 'petrol.7', title, message: undefined, autoClose: 3000 });
  const onError = (error: Error) => notifyError(error);
  const ask = (title: string, count: number, confirm: string, onConfirm: () => void) =>
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{t('trash.purgeText', { count })}</Text>,
      labels: { confirm, cancel: t('common.cancel') },
      confirmProps: { color: 'red.8' },
      onConfirm,
    });
  const settle = (keys: readonly string[], sentence: (count: number) => string, failure: (count: number) => string) => ({
    onError,
    onSuccess: ({ refused }: { refused: number }) => {
      onDone();
      if (keys.length > refused) say(sentence(keys.length - refused));
      if (refused) notifyError(undefined, failure(refused));
    },
  });
  return {
    restore: (images: readonly Trashed[], expires_in?: number) => {
      const keys = images.map(({ key }) => key);
      const restored = images.every(({ version_of }) => version_of !== null) ? 'trash.versionRestored' : 'trash.restored';
      restore.mutate(
        { keys, expires_in },
        settle(
          keys,
          (count) => t(restored, { count, formatted: count }),
          (count) => t('library.restoreFailed', { count }),
        ),
      );
    },
    purge: (keys: readonly string[]) =>
      ask(t('trash.purgeTitle', { count: keys.length }), keys.length, t('trash.purge'), () =>
        purge.mutate(
          keys,
          settle(
            keys,
            (count) => t('trash.purged', { count }),
            (count) => t('library.purgeFailed', { count }),
          ),
        ),
      ),
    empty: (count: number) =>
      ask(t('trash.emptyTitle'), count, t('trash.empty'), () =>
        empty.mutate(undefined, {
          onError,
          onSuccess: ({ purged }) => {
            onDone();
            say(t('trash.purged', { count: purged }));
          },
        }),
      ),
  };
}
