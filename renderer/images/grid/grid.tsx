import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { type ComponentType, type MouseEvent, type ReactNode, type RefObject, useCallback, useId, useMemo, useRef } from 'react';
import type { GridImages } from '#renderer/images/grid-images.ts';
import type { Frames } from '#renderer/images/list/pages.ts';
import type { Range } from '#renderer/images/list/use-page-loader.ts';
import { useDragSelect } from '#renderer/images/selection/use-drag-select.ts';
import type { Selection } from '#renderer/images/selection/use-selection.ts';
import { usePicturePlaces } from '#renderer/platform/place.ts';
import classes from './grid.module.css';
import { type Layout, layOut, type RowDay } from './layout.ts';
import { type GridImage, type Look, Tile } from './tile.tsx';
import { useDragMove } from './use-drag-move.ts';
import { type DragOut, useDragOut } from './use-drag-out.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { type Anchor, type RowRange, useAnchor, useWindow } from './use-window.ts';

/** The gap between images and the row height to aim at, in CSS pixels. */
export type RowSize = (width: number, phone: boolean) => { gap: number; target: number };

/** What a scrubber beside the grid needs. */
export interface GridAside {
  layout: Layout;
  list: RefObject<HTMLElement | null>;
}

interface Props<T extends GridImage> {
  /** The shapes and days of all images. A new object lays everything out again. */
  frames: Frames;
  images: GridImages<T>;
  /** Names the grid for screen readers; `hint` explains its keys. */
  label: string;
  hint: string;
  /** A new function lays everything out again. */
  rowSize: RowSize;
  tileLabel: (image: T) => string;
  look?: Look<T>;
  /** Drawn over each image. */
  Badges?: ComponentType<{ image: T }>;
  /** The heading of a day. */
  Day?: ComponentType<DayProps<T>>;
  /** Draws what shows until images are loaded, below them. */
  backdrop?: (grid: GridAside) => ReactNode;
  /** Drawn beside the grid. */
  Aside?: ComponentType<GridAside>;
  /** Lets images be selected by mouse and keyboard. */
  selection?: Selection<T>;
  onOpen: (image: T) => void;
  onRemove?: (images: readonly T[]) => void;
  /** Lets images be moved, by dragging and with Alt and the arrow keys: before another one, or to the end. */
  onMove?: (image: T, before: T | undefined) => void;
  /** Lets selected images be dragged to somewhere else. */
  dragOut?: DragOut | undefined;
  /** Offers to copy the link of each image. */
  onCopy?: (image: T) => void;
  /** Called, possibly often, with the part of the list that is near the screen. */
  onShow: (range: Range) => void;
  /** Keeps the place on the screen for another grid of the same images. */
  anchor?: RefObject<Anchor | undefined>;
  /** Key of the image that the viewer showed last: the keyboard continues from there. */
  returnTo: string | undefined;
}

export interface DayProps<T extends GridImage> {
  part: RowDay;
  /** Of the strip for headings. */
  height: number;
  images: GridImages<T>;
  selection: Selection<T> | undefined;
}

/** Images in justified rows. Only those near the screen exist as elements. */
export function Grid<T extends GridImage>(props: Props<T>) {
  const {
    frames,
    images,
    label,
    hint,
    rowSize,
    tileLabel,
    look,
    Badges,
    Day,
    backdrop,
    Aside,
    selection,
    onOpen,
    onRemove,
    onMove,
    dragOut,
    onCopy,
    onShow,
    anchor,
    returnTo,
  } = props;
  const hintId = useId();
  const { ref: measure, width } = useElementSize();
  const list = useRef<HTMLDivElement>(null);
  const layout = useLayout(frames, width, rowSize, look?.layOut ?? layOut);
  const show = ({ from, to }: RowRange, flying: boolean) => {
    if (layout.rows === 0) return;
    const last = layout.rowAt(to);
    onShow({ first: layout.rowAt(from).first, last: last.first + last.widths.length - 1, flying });
  };
  useAnchor(list, layout, (image) => images.at(image)?.key, images.find, anchor);
  usePicturePlaces(
    useCallback(
      (key) => {
        const index = images.find(key);
        return index < 0 || layout.rows === 0 ? undefined : window.scrollY + topOf(list, layout, index);
      },
      [images, layout],
    ),
  );
  const range = useWindow(list, layout, show);
  const keys = useGridKeys({
    layout,
    images,
    selection,
    onOpen,
    onRemove,
    onCopy,
    onMove,
    scrollTo: (image) => reveal(list, layout, image),
    returnTo,
  });
  const { selecting, select, press } = usePress(selection, onOpen);
  useDragSelect({ list, images, selection: onMove ? undefined : selection });
  const moving = useDragMove(images, onMove);
  const draggingOut = useDragOut(dragOut);
  const rows = Array.from({ length: width > 0 ? range.to - range.from + 1 : 0 }, (_, index) => layout.rowAt(range.from + index));
  const shown = rows.flatMap((row) => row.widths.map((_, column) => row.first + column)).filter((index) => images.at(index));
  const reachable = shown.includes(keys.cursor) ? keys.cursor : shown[0];
  return (
    <div ref={measure}>
      <p id={hintId} hidden>
        {hint}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        ref={list}
        role="group"
        aria-label={label}
        aria-describedby={hintId}
        className={look ? `${classes.grid} ${look.list}` : classes.grid}
        data-grid
        data-selectable={!!selection || undefined}
        data-selecting={selecting || undefined}
        data-backed={!!backdrop || undefined}
        style={{ height: layout.height }}
        onKeyDown={keys.onKeyDown}
        {...draggingOut}
        {...moving.handlers}
      >
        {width > 0 && backdrop?.({ list, layout })}
        {rows.map((row) => (
          <div key={row.first} className={classes.row} style={{ height: row.heading + row.height, transform: `translateY(${row.top}px)` }}>
            {Day && row.days.map((day) => <Day key={day.day} part={day} height={row.heading} images={images} selection={selection} />)}
            {row.widths.map((width, column) => {
              const index = row.first + column;
              const image = images.at(index);
              return (
                image && (
                  <Tile
                    key={image.key}
                    image={image}
                    index={index}
                    left={row.lefts[column] ?? 0}
                    top={row.heading}
                    width={width}
                    height={row.height}
                    label={tileLabel}
                    look={look}
                    Badges={Badges}
                    selected={selection?.has(image)}
                    reachable={index === reachable}
                    draggable={onMove !== undefined || (dragOut !== undefined && selection?.has(image) === true)}
                    drop={moving.over?.key === image.key ? moving.over.side : undefined}
                    focus={keys.focus?.index === index ? keys.focus : undefined}
                    onPress={press}
                    onSelect={select}
                    onCopy={onCopy}
                    onFocus={keys.onFocus}
                  />
                )
              );
            })}
          </div>
        ))}
      </div>
      {Aside && width > 0 && <Aside layout={layout} list={list} />}
    </div>
  );
}

/** The distance of an image's row from the top of the window. */
const topOf = (list: RefObject<HTMLElement | null>, layout: Layout, image: number) =>
  (list.current?.getBoundingClientRect().top ?? 0) + layout.rowAt(layout.rowOf(image)).top;

/** Scrolls as little as needed to show an image. */
function reveal(list: RefObject<HTMLElement | null>, layout: Layout, image: number) {
  if (layout.rows === 0) return;
  const row = layout.rowAt(layout.rowOf(image));
  const top = topOf(list, layout, image);
  const bottom = top + row.heading + row.height;
  // The header covers the top of the page.
  const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || HEADER;
  if (top < covered) window.scrollBy({ top: top - covered, behavior: 'instant' });
  else if (bottom > window.innerHeight) window.scrollBy({ top: bottom - window.innerHeight + layout.options.gap, behavior: 'instant' });
}

/** Height of the header that stays at the top, in CSS pixels. */
const HEADER = 72;

/** The end of a list that fits on about a screen is plain to see. */
export const SHORT_LIST = 30;

/** The line below a grid that says whether there are more images. */
export function GridEnd({ role, children }: { role?: 'status'; children: ReactNode }) {
  return (
    <p className={classes.end} role={role}>
      {children}
    </p>
  );
}

/** The rows for the width there is. */
function useLayout(frames: Frames, width: number, rowSize: RowSize, arrange: typeof layOut): Layout {
  const phone = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false });
  const options = useMemo(() => ({ ...rowSize(width, phone), width }), [rowSize, width, phone]);
  return useMemo(() => arrange(width > 0 ? frames : { ratios: [], days: undefined }, options), [frames, width, options, arrange]);
}

/**
 * A press on an image opens it; with Shift held, or while any image is selected, it selects instead. Other modifier keys open its page in
 * another tab, as for any link.
 */
function usePress<T extends GridImage>(selection: Selection<T> | undefined, onOpen: (image: T) => void) {
  const { toggle, extendTo } = selection ?? {};
  const selecting = !!selection?.size;
  const select = useCallback((image: T, { shiftKey }: MouseEvent) => (shiftKey ? extendTo : toggle)?.(image), [toggle, extendTo]);
  const press = useCallback(
    (image: T, event: MouseEvent) => {
      const selects = toggle && (selecting || event.shiftKey);
      if (!selects && (event.shiftKey || event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (selects) select(image, event);
      else onOpen(image);
    },
    [toggle, selecting, select, onOpen],
  );
  return { selecting, select, press };
}
