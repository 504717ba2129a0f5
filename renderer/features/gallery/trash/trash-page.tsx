import { Button, Text, Title } from '@mantine/core';
import { IconRestore, IconTrash, IconTrashX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { TRASH_DAYS } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { usePageTitle } from '#renderer/components/layout/public-frame.tsx';
import { EmptyState, LoadError } from '#renderer/components/notices/notice.tsx';
import { Questions } from '#renderer/components/notices/questions.tsx';
import { useNotice } from '#renderer/components/notices/use-notice.ts';
import gallery from '#renderer/features/gallery/gallery.module.css';
import { SelectionBar } from '#renderer/features/gallery/selection/selection-bar.tsx';
import { useViewSelection } from '#renderer/features/gallery/selection/use-view-selection.ts';
import { Timeline, TimelineSkeleton } from '#renderer/features/gallery/timeline/timeline.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { only, targetOf } from '#renderer/images/list/batch.ts';
import { imageListQuery } from '#renderer/images/list/list.ts';
import { useImageList, useRun } from '#renderer/images/list/use-image-list.ts';
import { useUndoBatchNotice } from '#renderer/images/list/use-undo.tsx';
import { TRASH } from '#renderer/images/list/view.ts';
import { usePageKeys } from '#renderer/images/selection/use-page-keys.ts';
import { Opening } from '#renderer/images/viewer/opening.tsx';
import { useOpenImage } from '#renderer/images/viewer/use-open-image.ts';
import { batchesQuery } from './change-trash.ts';
import classes from './trash.module.css';
import { TrashViewer } from './trash-viewer.tsx';
import { useTrashActions } from './use-trash-actions.tsx';

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
  const list = useQuery(imageListQuery(TRASH));
  const shown = useImageList(TRASH, list.data);
  const count = shown.frames.ratios.length;
  const { selection, total, selectAll } = useViewSelection(TRASH, list.data, shown);
  const { restore, purge, restoreAll, empty, question } = useTrashActions();
  const viewer = useOpenImage();
  const run = useRun(list.data, shown, viewer.shown);
  const { loadAround } = run;
  const onLoadAround = useCallback(() => loadAround(undefined), [loadAround]);
  const purgeSelected = () => purge(targetOf(selection), selection.clear);
  usePageKeys({
    images: shown.loaded,
    selection,
    onRemove: purgeSelected,
    inactive: viewer.shown !== undefined || viewer.opening !== undefined,
  });
  const bar = { variant: 'default', size: 'sm', className: classes.action } as const;
  return (
    <div className={gallery.page}>
      {selection.size > 0 ? (
        <SelectionBar selection={selection} title={t('trash.title')} total={total} onSelectAll={selectAll}>
          <Button
            {...bar}
            aria-label={t('trash.restore')}
            leftSection={<IconRestore size={16} />}
            onClick={() => restore(targetOf(selection), selection.clear)}
          >
            {t('trash.restore')}
          </Button>
          <Button
            {...bar}
            variant="light"
            color="red"
            aria-label={t('trash.purge')}
            leftSection={<IconTrashX size={16} />}
            onClick={purgeSelected}
          >
            {t('trash.purge')}
          </Button>
        </SelectionBar>
      ) : (
        <TrashHeader count={list.isSuccess && !shown.isPartial ? count : undefined}>
          <Button
            {...bar}
            aria-label={t('trash.restoreAll')}
            leftSection={<IconRestore size={16} />}
            onClick={() => restoreAll(selection.clear)}
          >
            {t('trash.restoreAll')}
          </Button>
          <Button {...bar} aria-label={t('trash.empty')} leftSection={<IconTrash size={16} />} onClick={() => empty(selection.clear)}>
            {t('trash.empty')}
          </Button>
        </TrashHeader>
      )}
      <p className={classes.intro}>{t('trash.intro', { count: TRASH_DAYS })}</p>
      <Deletions />
      {list.isPending && <TimelineSkeleton />}
      {list.isError && (
        <LoadError error={list.error} onRetry={() => void list.refetch()}>
          <TimelineSkeleton />
        </LoadError>
      )}
      {list.isSuccess && count === 0 && (
        <EmptyState art={<IconTrash size={48} stroke={1.2} aria-hidden />} title={t('trash.nothing')} text={t('trash.nothingText')} />
      )}
      {count > 0 && (
        <Timeline
          list={shown}
          shows="trash"
          selection={selection}
          onOpen={viewer.open}
          onRemove={(some) => (selection.size ? purgeSelected() : purge(only(some)))}
          returnTo={viewer.returnTo}
        />
      )}
      {viewer.opening && !viewer.shown && <Opening image={viewer.opening} onClose={viewer.close} />}
      {viewer.shown && list.isSuccess && (
        <TrashViewer
          images={run.images}
          start={run.start}
          count={count}
          shown={viewer.shown}
          complete={shown.complete}
          onShow={viewer.show}
          onClose={viewer.close}
          onRestore={(image: Image, after) => restore(only([image]), after)}
          onPurge={(image: Image, after) => purge(only([image]), after)}
          onLoadAround={onLoadAround}
        />
      )}
      {question}
    </div>
  );
}

/** The heading, the number of images once known, and what to do with all of them. */
function TrashHeader({ count, children }: { count: number | undefined; children: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <header className={gallery.header}>
      <Title order={1} className={gallery.title}>
        {t('trash.title')}
      </Title>
      {!!count && (
        <Text c="dimmed" size="sm" className={`${gallery.count} ${classes.count}`}>
          {t('gallery.count', { count, formatted: format.number(count) })}
        </Text>
      )}
      <div className={gallery.grow} />
      {count !== 0 && children}
    </header>
  );
}

/** Deletions that are shown until the user asks for all. */
const SHOWN = 3;

/** Deletions of several pictures, each of which can be restored as a whole. */
function Deletions() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: batches = [] } = useQuery(batchesQuery);
  const [all, setAll] = useState(false);
  const restore = useUndoBatchNotice(useNotice());
  if (batches.length === 0) return null;
  return (
    <section className={classes.deletions} aria-labelledby="deletions">
      <h2 id="deletions">{t('trash.deletions')}</h2>
      <ul>
        {batches.slice(0, all ? undefined : SHOWN).map(({ undo, count, deleted_at }) => {
          const pictures = t('gallery.count', { count, formatted: format.number(count) });
          const date = format.moment(deleted_at);
          return (
            <li key={undo}>
              <IconTrash size={18} stroke={1.7} aria-hidden />
              <span>
                <b>{pictures}</b> <span>{date}</span>
              </span>
              <Button
                variant="default"
                size="xs"
                aria-label={t('trash.restoreDeletion', { pictures, date })}
                onClick={() => void restore({ tokens: [undo], action: 'trash', images: [], more: true })}
              >
                {t('trash.restoreThese')}
              </Button>
            </li>
          );
        })}
      </ul>
      {batches.length > SHOWN && !all && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          {t('trash.allDeletions', { formatted: format.number(batches.length) })}
        </Button>
      )}
    </section>
  );
}
