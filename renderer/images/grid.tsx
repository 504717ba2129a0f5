import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type ComponentType,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import classes from './grid.module.css';
import { type DayRow, type Layout, layOut, rowOf } from './layout.ts';
import { type GridImage, Tile } from './tile.tsx';
import { useDragSelect } from './use-drag-select.ts';
import { useGridKeys } from './use-grid-keys.ts';
import type { Selection } from './use-selection.ts';

/** The gap between images and the row height to aim at, in CSS pixels. */
export type RowSize = (width: number, phone: boolean) => { gap: number; target: number };

interface Props<T extends GridImage> {
  pages: readonly (readonly T[])[];
  /** Names the grid for screen readers; `hint` explains its keys. */
  label: string;
  hint: string;
  /** A new function lays everything out again, as does a new `dayOf`. */
  rowSize: RowSize;
  /** Puts the images under day headings. */
  dayOf?: ((image: T) => string) | undefined;
  /** The heading of a day. */
  Day?: ComponentType<DayProps<T>>;
  tileLabel: (image: T) => string;
  /** Drawn over each image. */
  Badges?: ComponentType<{ image: T }>;
  /** Whether there are more images than are loaded. */
  more?: boolean;
  /** Lets images be selected by mouse and keyboard. */
  selection?: Selection<T>;
  onOpen: (image: T) => void;
  onRemove?: (images: readonly T[]) => void;
  /** Offers to copy the link of each image. */
  onCopy?: (image: T) => void;
  /** Called, possibly often, while the end of the loaded pages is near. */
  onNearEnd: () => void;
  /** Key of the image that the viewer showed last: the keyboard continues from there. */
  returnTo: string | undefined;
}

export interface DayProps<T extends GridImage> {
  row: DayRow;
  layout: Layout<T>;
  more: boolean | undefined;
  selection: Selection<T> | undefined;
}

/** Distance to the end of the loaded rows at which more are requested; about three screens. */
const NEAR_END_ROWS = 24;

/** Images in justified rows. Only those near the screen exist as elements. */
export function Grid<T extends GridImage>(props: Props<T>) {
  const { pages, label, hint, rowSize, dayOf, Day, tileLabel, Badges, more, selection, onOpen, onRemove, onCopy, onNearEnd, returnTo } =
    props;
  const hintId = useId();
  const { ref: measure, width } = useElementSize();
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const layout = useLayout(pages, width, rowSize, dayOf);
  const { rows, images, options } = layout;
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.height ?? 0) + (rows[index]?.kind === 'images' ? options.gap : 0),
    overscan: 6,
    scrollMargin: top,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights come from the layout, whose changes the virtualiser can't see
  useLayoutEffect(() => virtual.measure(), [layout]);
  const visible = virtual.getVirtualItems();
  const lastVisible = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastVisible >= rows.length - NEAR_END_ROWS) onNearEnd();
  }, [lastVisible, rows.length, onNearEnd]);
  const keys = useGridKeys({
    layout,
    selection,
    onOpen,
    onRemove,
    scrollTo: (image) => virtual.scrollToIndex(rowOf(rows, image), { align: 'auto' }),
    returnTo,
  });
  const { selecting, select, press } = usePress(selection, onOpen);
  useDragSelect({
    list,
    images: { at: (index) => images[index], find: (key) => images.findIndex((image) => image.key === key) },
    selection,
  });
  const firstShown = visible.map(({ index }) => rows[index]).find((row) => row?.kind === 'images');
  const onScreen = visible.some(({ index }) => index === rowOf(rows, keys.cursor));
  const reachable = onScreen ? keys.cursor : (firstShown?.first ?? 0);
  const tile = (index: number, width: number, height: number) => {
    const image = images[index];
    return (
      image && (
        <Tile
          key={image.key}
          image={image}
          index={index}
          width={width}
          height={height}
          label={tileLabel}
          Badges={Badges}
          selected={selection?.has(image)}
          reachable={index === reachable}
          focus={keys.focus?.index === index ? keys.focus : undefined}
          onPress={press}
          onSelect={select}
          onCopy={onCopy}
          onFocus={keys.onFocus}
        />
      )
    );
  };
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
        className={classes.grid}
        data-selectable={!!selection || undefined}
        data-selecting={selecting || undefined}
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
                  Day && <Day row={row} layout={layout} more={more} selection={selection} />
                ) : (
                  <div className={classes.images} style={{ gap: options.gap }}>
                    {row.widths.map((width, column) => tile(row.first + column, width, row.height))}
                  </div>
                )}
              </div>
            );
          })}
      </div>
    </div>
  );
}

/** The line below a grid that says whether there are more images. */
export function GridEnd({ role, children }: { role?: 'status'; children: ReactNode }) {
  return (
    <p className={classes.end} role={role}>
      {children}
    </p>
  );
}

const noDay = () => '';

/** The rows for the width there is. More pages only add rows. */
function useLayout<T extends GridImage>(
  pages: readonly (readonly T[])[],
  width: number,
  rowSize: RowSize,
  dayOf: (image: T) => string = noDay,
): Layout<T> {
  const phone = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false });
  const options = useMemo(() => ({ ...rowSize(width, phone), width, dayOf }), [rowSize, width, phone, dayOf]);
  const before = useRef<Layout<T>>(undefined);
  return useMemo(() => {
    before.current = layOut(pages, options, before.current);
    return before.current;
  }, [pages, options]);
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
