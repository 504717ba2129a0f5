import { type KeyboardEvent, memo, type PointerEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { GridAside } from '#renderer/images/grid/grid.tsx';
import type { Layout } from '#renderer/images/grid/layout.ts';
import classes from './scrubber.module.css';

/** What the header covers of the screen, and how many screens a timeline must fill to be worth a scrubber. */
const HEADER = 64;
const MIN_SCREENS = 2;
/** The label stays this long after the last movement. */
const LINGER_MS = 1_200;
/** Between two marks on the rail, in CSS pixels. */
const YEAR_SPACE = 22;
const MONTH_SPACE = 7;

/** A rail with the months and years of the whole timeline, along which one drag leads anywhere. */
export function Scrubber({ layout, list }: GridAside) {
  const { t } = useTranslation();
  const format = useFormat();
  const rail = useRef<HTMLDivElement>(null);
  const months = useMemo(() => monthsOf(layout), [layout]);
  const handle = useRef<HTMLSpanElement>(null);
  const label = useRef<HTMLSpanElement>(null);
  const at = useRef(0);
  const [pointed, setPointed] = useState<number>();
  // Set directly: rendering for every step of a flight would take a third of its time.
  const place = () => {
    if (handle.current) handle.current.style.top = `${at.current * 100}%`;
    if (label.current) label.current.style.top = `${(pointed ?? at.current) * 100}%`;
  };
  const { month, height, moving } = usePosition(layout, list, months, (share) => {
    at.current = share;
    place();
  });
  useLayoutEffect(place);
  const [dragging, setDragging] = useState(false);
  const length = layout.height - height;
  if (layout.height < MIN_SCREENS * height || months.length < 2) return null;

  const goTo = (top: number) => {
    const start = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    window.scrollTo({ top: start + Math.max(0, Math.min(length, top)) - HEADER, behavior: 'instant' });
  };
  const pointAt = (event: PointerEvent) => {
    const box = rail.current?.getBoundingClientRect();
    return box ? Math.max(0, Math.min(1, (event.clientY - box.top) / box.height)) : 0;
  };
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragging(true);
    setPointed(pointAt(event));
    goTo(pointAt(event) * length);
  };
  const move = (event: PointerEvent) => {
    setPointed(pointAt(event));
    if (dragging) goTo(pointAt(event) * length);
  };
  const release = () => setDragging(false);
  const leave = () => setPointed(undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = monthFor(event.key, months, month);
    if (target === undefined) return;
    event.preventDefault();
    goTo((months[target] as MonthMark).top);
  };

  const named = pointed === undefined ? month : monthAt(months, pointed * length);
  const name = (index: number) => format.month((months[index] as MonthMark).month);
  return (
    <div
      ref={rail}
      className={classes.rail}
      role="slider"
      tabIndex={0}
      aria-label={t('gallery.scrubber')}
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={months.length}
      aria-valuenow={month + 1}
      aria-valuetext={name(month)}
      data-active={moving || pointed !== undefined || undefined}
      data-dragging={dragging || undefined}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerLeave={leave}
      onLostPointerCapture={release}
      onKeyDown={onKeyDown}
    >
      <Marks months={months} length={length} height={height} />
      <span ref={handle} className={classes.handle} />
      <span ref={label} className={classes.label} aria-hidden="true">
        {name(named)}
      </span>
    </div>
  );
}

/** The month that a key leads to: the next or previous one, the same one of another year, the first or the last. */
function monthFor(key: string, months: readonly MonthMark[], now: number): number | undefined {
  const last = months.length - 1;
  const year = (index: number) => months[index]?.month.slice(0, 4);
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return Math.min(last, now + 1);
    case 'ArrowUp':
    case 'ArrowLeft':
      return Math.max(0, now - 1);
    case 'PageDown': {
      const next = months.findIndex((_, index) => index > now && year(index) !== year(now));
      return next < 0 ? last : next;
    }
    case 'PageUp': {
      const before = months.findLastIndex((_, index) => index < now && year(index) !== year(now));
      return before < 0 ? 0 : months.findIndex((_, index) => year(index) === year(before));
    }
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** The month on the screen, as an index. `onMove` gets where the screen is, as a share of the way. */
function usePosition(layout: Layout, list: RefObject<HTMLElement | null>, months: readonly MonthMark[], onMove: (at: number) => void) {
  const [position, setPosition] = useState({ month: 0, height: window.innerHeight - HEADER });
  const [moving, setMoving] = useState(false);
  const move = useRef(onMove);
  move.current = onMove;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const measure = () => {
      const height = window.innerHeight - HEADER;
      const top = HEADER - (list.current?.getBoundingClientRect().top ?? 0);
      const length = Math.max(1, layout.height - height);
      // The end of the timeline is the last month, however short it is.
      const month = Math.max(0, top >= length - 1 ? months.length - 1 : monthAt(months, top + 1));
      move.current(Math.max(0, Math.min(1, top / length)));
      setPosition((before) => (before.month === month && before.height === height ? before : { month, height }));
    };
    const onScroll = () => {
      measure();
      setMoving(true);
      clearTimeout(timer);
      timer = setTimeout(() => setMoving(false), LINGER_MS);
    };
    measure();
    window.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', onScroll);
      window.removeEventListener('resize', measure);
    };
  }, [layout, list, months]);
  return { ...position, moving };
}

interface MarksProps {
  months: readonly MonthMark[];
  length: number;
  height: number;
}

/** The years, and a dot for each month where there is room. Memoised, since scrolling doesn't change them. */
const Marks = memo(function Marks({ months, length, height }: MarksProps) {
  const marks = months.map(({ month, top }) => ({ month, at: Math.min(1, top / length) * height }));
  const years = spread(
    marks.filter(({ month }, index) => month.slice(0, 4) !== marks[index - 1]?.month.slice(0, 4)),
    YEAR_SPACE,
  );
  const dots = spread(marks, MONTH_SPACE).filter(({ at }) => years.every((year) => Math.abs(year.at - at) >= YEAR_SPACE / 2));
  return (
    <span className={classes.marks} aria-hidden="true">
      {dots.map(({ month, at }) => (
        <i key={month} style={{ top: at }} />
      ))}
      {years.map(({ month, at }) => (
        <b key={month} style={{ top: at }}>
          {month.slice(0, 4)}
        </b>
      ))}
    </span>
  );
});

/** A month of a timeline, and where it begins, in CSS pixels from the top of the grid. */
interface MonthMark {
  /** Such as `2026-11`. */
  month: string;
  top: number;
}

/** The months of a timeline, in its order. */
export function monthsOf(layout: Layout): MonthMark[] {
  const { days } = layout.frames;
  const marks: MonthMark[] = [];
  if (!days) return marks;
  for (let row = 0; row < layout.rows; row += 1) {
    const { first, top, lefts } = layout.rowAt(row);
    for (let image = first; image < first + lefts.length; image += 1) {
      const month = (days[image] as string).slice(0, 7);
      if (month !== marks.at(-1)?.month) marks.push({ month, top });
    }
  }
  return marks;
}

/** Index of the month at a distance from the top of the grid. */
export function monthAt(marks: readonly MonthMark[], top: number): number {
  let low = 0;
  let high = marks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((marks[middle] as MonthMark).top <= top) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The marks to draw along a rail: at most one for every `space` CSS pixels, the first of each kept. */
export function spread<T extends { at: number }>(marks: readonly T[], space: number): T[] {
  const drawn: T[] = [];
  for (const mark of marks) if (drawn.length === 0 || mark.at - (drawn.at(-1) as T).at >= space) drawn.push(mark);
  return drawn;
}
