import { ActionIcon, Button, Progress } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAlbumName } from '#renderer/albums/albums.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useCopyLinks } from '#renderer/images/copy-links.tsx';
import classes from './panel.module.css';
import { PanelItem } from './panel-item.tsx';
import { useUploadQueue, useUploads } from './provider.tsx';
import { summarise } from './summary.ts';
import { commonAlbum } from './target.ts';
import type { UploadItem } from './types.ts';

const ROW_HEIGHT = 60;
/** Leaves room for the error message. */
const FAILED_HEIGHT = 88;

/** The progress and outcome of uploads. */
export function UploadPanel() {
  const { t } = useTranslation();
  const { items } = useUploads();
  const [open, { toggle }] = useDisclosure(true);
  const queue = useUploadQueue();
  const { running, sentBytes, totalBytes } = summarise(items);
  return (
    <section className={classes.panel} aria-label={t('upload.title')}>
      <header className={classes.header}>
        <Headline items={items} />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t(open ? 'upload.collapse' : 'upload.expand')}
          aria-expanded={open}
          onClick={toggle}
        >
          {open ? <IconChevronDown size={18} /> : <IconChevronUp size={18} />}
        </ActionIcon>
        {running === 0 && (
          <ActionIcon variant="subtle" color="gray" aria-label={t('upload.clear')} onClick={() => queue.clear()}>
            <IconX size={18} />
          </ActionIcon>
        )}
      </header>
      {running > 0 && (
        <Progress
          size={3}
          radius={0}
          value={totalBytes ? (sentBytes / totalBytes) * 100 : 0}
          aria-label={t('upload.title')}
          transitionDuration={200}
        />
      )}
      {open && <PanelList items={items} />}
      {open && <PanelFooter items={items} running={running} />}
    </section>
  );
}

function Headline({ items }: { items: readonly UploadItem[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { pausedUntil } = useUploads();
  const { running, done, failed, secondsLeft } = summarise(items);
  const main = running
    ? t('upload.uploading', { count: running })
    : failed && !done
      ? t('upload.someFailed', { count: failed })
      : t('upload.allDone', { count: done });
  const pause = pausedUntil === undefined ? undefined : Math.max(1, Math.ceil((pausedUntil - Date.now()) / 1000));
  const album = useAlbumName(commonAlbum(items));
  const aside = [
    album && t('upload.toAlbum', { album }),
    running && pause ? t('upload.pausedFor', { count: pause }) : undefined,
    running && !pause && secondsLeft ? t('upload.timeLeft', { time: format.duration(secondsLeft) }) : undefined,
    failed && (running || done) ? t('upload.someFailed', { count: failed }) : undefined,
  ].filter(Boolean);
  return (
    <div className={classes.headline}>
      <strong role="status">{main}</strong>
      <span>{aside.join(' · ')}</span>
    </div>
  );
}

function PanelList({ items }: { items: readonly UploadItem[] }) {
  const { t } = useTranslation();
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => heightOf(items[index]),
    overscan: 4,
    getItemKey: (index) => items[index]?.id ?? index,
  });
  const { failed } = summarise(items);
  const common = commonAlbum(items);
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights change with the number of failures
  useLayoutEffect(() => rows.measure(), [failed]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scroll} className={classes.scroll} tabIndex={0} aria-label={t('upload.list')}>
      <ul className={classes.list} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => {
          const item = items[row.index];
          return (
            item && (
              <li key={row.key} className={classes.row} style={{ height: heightOf(item), transform: `translateY(${row.start}px)` }}>
                <PanelItem item={item} showAlbum={!common} />
              </li>
            )
          );
        })}
      </ul>
    </section>
  );
}

const heightOf = (item: UploadItem | undefined) => (item?.state === 'failed' ? FAILED_HEIGHT : ROW_HEIGHT);

function PanelFooter({ items, running }: { items: readonly UploadItem[]; running: number }) {
  const { t } = useTranslation();
  const queue = useUploadQueue();
  const copyLinks = useCopyLinks();
  const images = items.flatMap((item) => item.image ?? []);
  const failed = items.some((item) => item.state === 'failed');
  if (!running && !failed && !images.length) return null;
  return (
    <footer className={classes.footer}>
      {images.length > 0 && (
        <Button size="xs" variant={running ? 'default' : 'filled'} onClick={() => copyLinks(images)}>
          {t('upload.copyAll')}
        </Button>
      )}
      {failed && (
        <Button size="xs" variant="default" onClick={() => queue.retryFailed()}>
          {t('upload.retryFailed')}
        </Button>
      )}
      {running > 0 && (
        <Button size="xs" variant="default" onClick={() => queue.cancelAll()}>
          {t('upload.cancelAll')}
        </Button>
      )}
    </footer>
  );
}
