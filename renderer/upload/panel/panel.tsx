import { ActionIcon, Button, Progress } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { MAX_BATCH } from '#api/constants.ts';
import { albumsOf } from '#api/images/album-fields.ts';
import type { Image } from '#api/images/images.ts';
import { styledLinks } from '#api/sharing/link-formats.ts';
import { LaterSendDialog } from '#renderer/albums/sending/later-send-dialog.tsx';
import { WhoCanOpen } from '#renderer/components/links/who-can-open.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { only } from '#renderer/images/list/batch.ts';
import { useCopyLinks } from '#renderer/images/sharing/copy-links.tsx';
import { useLinkStyle } from '#renderer/service/account.ts';
import { useAlbumNames } from '#renderer/upload/options/use-album-names.ts';
import { useUploadQueue, useUploads } from '#renderer/upload/queue/provider.tsx';
import type { QueueSnapshot } from '#renderer/upload/queue/queue.ts';
import { byUrgency, shareDone } from '#renderer/upload/queue/summary.ts';
import type { UploadItem } from '#renderer/upload/queue/types.ts';
import { commonAlbums } from '#renderer/upload/sources/target.ts';
import { LocalPreview } from './local-preview.tsx';
import classes from './panel.module.css';
import { PanelItem } from './panel-item.tsx';
import { useOutcome } from './use-outcome.ts';

const ROW_HEIGHT = 60;
/** Leaves room for the error message. */
const FAILED_HEIGHT = 88;

/** The progress and outcome of uploads. */
export function UploadPanel() {
  const { t } = useTranslation();
  const uploads = useUploads();
  const { summary } = uploads;
  const [open, { toggle }] = useDisclosure(true);
  const queue = useUploadQueue();
  return (
    <section className={classes.panel} data-at-foot aria-label={t('upload.title')}>
      <header className={classes.header}>
        <Headline uploads={uploads} />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t(open ? 'upload.collapse' : 'upload.expand')}
          aria-expanded={open}
          onClick={toggle}
        >
          {open ? <IconChevronDown size={18} /> : <IconChevronUp size={18} />}
        </ActionIcon>
        {summary.open === 0 && (
          <ActionIcon variant="subtle" color="gray" aria-label={t('upload.clear')} onClick={() => queue.clear()}>
            <IconX size={18} />
          </ActionIcon>
        )}
      </header>
      {summary.open > 0 && (
        <Progress size={3} radius={0} value={shareDone(summary) * 100} aria-label={t('upload.title')} transitionDuration={200} />
      )}
      {open && <PanelList uploads={uploads} />}
      {open && <PanelFooter uploads={uploads} />}
    </section>
  );
}

function Headline({ uploads }: { uploads: QueueSnapshot }) {
  const { t } = useTranslation();
  const { items, summary } = uploads;
  const outcome = useOutcome(summary);
  const album = useAlbumNames(commonAlbums(items));
  const aside = [album && t('upload.toAlbum', { album }), useWaiting(uploads), outcome.aside].filter(Boolean);
  return (
    <div className={classes.headline}>
      <strong role="status">{outcome.main}</strong>
      {outcome.failures && <span className={classes.failures}>{outcome.failures}</span>}
      {aside.length > 0 && <span>{aside.join(' · ')}</span>}
    </div>
  );
}

/** Why the uploads wait, or for how long they will still run. */
function useWaiting({ summary, isUnreachable, pausedUntil, secondsLeft }: QueueSnapshot): string | undefined {
  const { t } = useTranslation();
  const format = useFormat();
  if (!summary.open) return undefined;
  if (isUnreachable) return joinSentences(t('connection.lost'), t('connection.trying'));
  if (pausedUntil !== undefined) return t('upload.pausedFor', { count: Math.max(1, Math.ceil((pausedUntil - Date.now()) / 1000)) });
  return secondsLeft === undefined ? undefined : t('upload.timeLeft', { time: format.duration(secondsLeft) });
}

function PanelList({ uploads: { items } }: { uploads: QueueSnapshot }) {
  const { t } = useTranslation();
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => byUrgency(items), [items]);
  const tall = useMemo(() => rows.map(({ state }) => Number(state === 'failed')).join(''), [rows]);
  const heightAt = (index: number) => (rows[index]?.state === 'failed' ? FAILED_HEIGHT : ROW_HEIGHT);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: heightAt,
    overscan: 4,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const common = commonAlbums(items);
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights change with the failures and their places
  useLayoutEffect(() => virtual.measure(), [tall]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scroll} className={classes.scroll} tabIndex={0} aria-label={t('upload.list')}>
      <ul className={classes.list} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const item = rows[index];
          return (
            item && (
              <li key={key} className={classes.row} style={{ height: heightAt(index), transform: `translateY(${start}px)` }}>
                <Item item={item} showAlbum={common.length === 0} />
              </li>
            )
          );
        })}
      </ul>
    </section>
  );
}

function Item({ item, showAlbum }: { item: UploadItem; showAlbum: boolean }) {
  const queue = useUploadQueue();
  const copyLinks = useCopyLinks();
  const album = useAlbumNames(albumsOf(item.fields));
  return (
    <PanelItem
      item={item}
      queue={queue}
      album={showAlbum ? album : undefined}
      preview={<LocalPreview item={item} />}
      onCopy={(image) => void copyLinks([image])}
    />
  );
}

/** Who can open the links of the last batch, as far as all are open to the same. */
function Opens({ images }: { images: readonly Image[] }) {
  const style = useLinkStyle();
  const isPrivate = images.every(({ visibility }) => visibility === 'private');
  return (
    <div className={classes.opens}>
      <WhoCanOpen visibility={isPrivate ? 'private' : 'public'} text={styledLinks(images, style)} count={images.length} />
    </div>
  );
}

function SendButton({ images }: { images: readonly Image[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [sending, setSending] = useState<readonly Image[]>();
  const isTooMany = images.length > MAX_BATCH;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={isTooMany}
        title={isTooMany ? t('sentPictures.tooMany', { formatted: format.number(MAX_BATCH) }) : undefined}
        onClick={() => setSending(images)}
      >
        {t('sentPictures.send')}
      </Button>
      {sending && <LaterSendDialog target={only(sending)} onClose={() => setSending(undefined)} />}
    </>
  );
}

function PanelFooter({ uploads: { summary } }: { uploads: QueueSnapshot }) {
  const { t } = useTranslation();
  const queue = useUploadQueue();
  const copyLinks = useCopyLinks();
  const { open, failed, retryable, images, batchImages } = summary;
  if (!open && !retryable && failed < 2 && !images.length) return null;
  return (
    <footer className={classes.footer}>
      {batchImages.length > 0 && <Opens images={batchImages} />}
      {batchImages.length > 0 && (
        <Button size="xs" variant={open ? 'default' : 'filled'} onClick={() => copyLinks(batchImages)}>
          {t(images.length > batchImages.length ? 'upload.copyLatest' : 'upload.copyLinks', { count: batchImages.length })}
        </Button>
      )}
      {batchImages.length > 0 && <SendButton images={batchImages} />}
      {images.length > batchImages.length && (
        <Button size="xs" variant="default" onClick={() => copyLinks(images)}>
          {t('upload.copyAll', { count: images.length })}
        </Button>
      )}
      {retryable > 0 && (
        <Button size="xs" variant="default" onClick={() => queue.retryFailed()}>
          {t('upload.retryFailed')}
        </Button>
      )}
      {failed > 1 && (
        <Button size="xs" variant="default" onClick={() => queue.dismissFailed()}>
          {t('upload.dismissFailed')}
        </Button>
      )}
      {open > 0 && (
        <Button size="xs" variant="default" onClick={() => queue.cancelAll()}>
          {t('upload.cancelAll')}
        </Button>
      )}
    </footer>
  );
}
