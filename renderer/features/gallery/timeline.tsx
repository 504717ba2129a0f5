import { Checkbox, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { type DayRow, type ImageRow, rowOf } from '#renderer/images/layout.ts';
import type { Timeline as Order } from '#renderer/preference-values.ts';
import classes from './gallery.module.css';
import { Tile } from './tile.tsx';
import type { Selection } from './use-selection.ts';
import { useTimelineKeys } from './use-timeline-keys.ts';
import { useTimelineLayout } from './use-timeline-layout.ts';

interface Props {
  pages: readonly (readonly Image[])[];
  timeline: Order;
  selection: Selection;
  onOpen: (image: Image) => void;
  onRemove: (images: readonly Image[]) => void;
  /** Called, possibly often, while the end of what is loaded is near. */
  onNearEnd: () => void;
  /** The picture that the viewer showed last: the keyboard goes on from there. */
  returnTo: string | undefined;
}

/** Rows to the end of what is loaded at which more is asked for; about three screens. */
const NEAR_END = 24;

/** Pictures by day in justified rows. Only what is near the screen exists as elements. */
export function Timeline({ pages, timeline, selection, onOpen, onRemove, onNearEnd, returnTo }: Props) {
  const { t } = useTranslation();
  const hint = useId();
  const { ref: measure, width } = useElementSize();
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const layout = useTimelineLayout(pages, timeline, width);
  const { rows, images, options } = layout;
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.height ?? 0) + (rows[index]?.kind === 'pictures' ? options.gap : 0),
    overscan: 6,
    scrollMargin: top,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights come from the layout, which the virtualiser cannot see change
  useLayoutEffect(() => virtual.measure(), [layout]);
  const visible = virtual.getVirtualItems();
  const lastVisible = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastVisible >= rows.length - NEAR_END) onNearEnd();
  }, [lastVisible, rows.length, onNearEnd]);
  const keys = useTimelineKeys({
    layout,
    selection,
    onOpen,
    onRemove,
    scrollTo: (image) => virtual.scrollToIndex(rowOf(rows, image), { align: 'auto' }),
    returnTo,
  });
  const shown = visible.map(({ index }) => rows[index]).find((row) => row?.kind === 'pictures');
  const onScreen = visible.some(({ index }) => index === rowOf(rows, keys.cursor));
  const reachable = onScreen ? keys.cursor : (shown?.first ?? 0);
  return (
    <div ref={measure}>
      <VisuallyHidden id={hint}>{t('gallery.keys')}</VisuallyHidden>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        ref={list}
        role="group"
        aria-label={t('gallery.timeline')}
        aria-describedby={hint}
        className={classes.timeline}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={keys.onKeyDown}
      >
        {width > 0 &&
          visible.map(({ index, key, start }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <div key={key} className={classes.row} style={{ height: row.height, transform: `translateY(${start - top}px)` }}>
                {row.kind === 'day' ? (
                  <DayHeading row={row} images={dayImages(images, row, options.dayOf)} selection={selection} />
                ) : (
                  <Images
                    row={row}
                    images={images}
                    gap={options.gap}
                    reachable={reachable}
                    selection={selection}
                    onOpen={onOpen}
                    keys={keys}
                  />
                )}
              </div>
            );
          })}
      </div>
    </div>
  );
}

function dayImages(images: readonly Image[], { first, day }: DayRow, dayOf: (image: Image) => string): readonly Image[] {
  let end = first;
  while (end < images.length && dayOf(images[end] as Image) === day) end += 1;
  return images.slice(first, end);
}

function DayHeading({ row, images, selection }: { row: DayRow; images: readonly Image[]; selection: Selection }) {
  const { t } = useTranslation();
  const day = useFormat().day(row.day);
  const chosen = images.filter(({ key }) => selection.images.has(key)).length;
  return (
    <div className={classes.day} data-chosen={chosen > 0 || undefined}>
      <h2>{day}</h2>
      <Checkbox
        size="xs"
        radius="xl"
        aria-label={t('gallery.selectDay', { day })}
        checked={chosen === images.length}
        indeterminate={chosen > 0 && chosen < images.length}
        onChange={() => selection.toggleAll(images)}
      />
    </div>
  );
}

interface ImagesProps {
  row: ImageRow;
  images: readonly Image[];
  gap: number;
  reachable: number;
  selection: Selection;
  onOpen: (image: Image) => void;
  keys: ReturnType<typeof useTimelineKeys>;
}

function Images({ row, images, gap, reachable, selection, onOpen, keys }: ImagesProps) {
  return (
    <div className={classes.images} style={{ gap }}>
      {row.widths.map((width, column) => {
        const index = row.first + column;
        const image = images[index];
        return (
          image && (
            <Tile
              key={image.key}
              image={image}
              index={index}
              width={width}
              height={row.height}
              selected={selection.images.has(image.key)}
              selecting={selection.images.size > 0}
              reachable={index === reachable}
              focus={keys.focus?.index === index ? keys.focus : undefined}
              onOpen={onOpen}
              onToggle={selection.toggle}
              onExtend={selection.extendTo}
              onFocus={keys.onFocus}
            />
          )
        );
      })}
    </div>
  );
}
