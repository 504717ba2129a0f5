import { CanvasSink } from 'mediabunny';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { VideoSource } from './source.ts';
import { frameAt, timeText } from './time.ts';
import classes from './video.module.css';

/** What can be moved along the strip. */
export type Part = 'from' | 'position' | 'to';

interface Props {
  source: VideoSource;
  /** Places of frames; `to`: the first that isn't kept. */
  from: number;
  to: number;
  position: number;
  onMove(part: Part, frame: number): void;
  /** Moves a part by so many frames, as a key does. */
  onStep(part: Part, frames: number): void;
}

/** Seconds by which Page Up and Page Down move. */
const PAGE = 5;

/** A video in small pictures, with what is kept of it between two handles. */
export function Strip({ source, from, to, position, onMove, onStep }: Props) {
  const { t } = useTranslation('edit');
  const { frames, end } = source;
  const strip = useRef<HTMLDivElement>(null);
  const start = frames[0]?.time ?? 0;
  const length = Math.max(0.001, end - start);
  const timeOf = (frame: number) => (frame >= frames.length ? end : (frames[frame]?.time ?? start));
  const share = (frame: number) => `${((timeOf(frame) - start) / length) * 100}%`;
  const rate = Math.max(1, Math.round(frames.length / length));

  const frameUnder = ({ clientX }: PointerEvent) => {
    const { left, width } = (strip.current as HTMLDivElement).getBoundingClientRect();
    const time = start + Math.min(1, Math.max(0, (clientX - left) / width)) * length;
    return { time, frame: frameAt(frames, time) };
  };
  const move = (part: Part, event: PointerEvent) => {
    const { time, frame } = frameUnder(event);
    // The end is between frames: the nearest one.
    const isLater = time - timeOf(frame) > (timeOf(frame + 1) - timeOf(frame)) / 2;
    onMove(part, part === 'to' && isLater ? frame + 1 : frame);
  };
  const press = (part: Part) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    if (part === 'position') move(part, event);
  };
  const drag = (part: Part) => (event: PointerEvent<HTMLElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) move(part, event);
  };
  const keys = (part: Part) => (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: event.shiftKey ? -rate : -1,
      ArrowDown: event.shiftKey ? -rate : -1,
      ArrowRight: event.shiftKey ? rate : 1,
      ArrowUp: event.shiftKey ? rate : 1,
      PageDown: -PAGE * rate,
      PageUp: PAGE * rate,
      Home: -frames.length,
      End: frames.length,
    };
    const by = steps[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    onStep(part, by);
  };
  const slider = (part: Part, frame: number, [least, most]: readonly [number, number]) => (
    <div
      role="slider"
      tabIndex={0}
      className={part === 'position' ? classes.position : classes.handle}
      data-part={part}
      style={{ insetInlineStart: share(frame) }}
      aria-label={t(`video.${part}`)}
      aria-valuemin={timeOf(least) - start}
      aria-valuemax={timeOf(most) - start}
      aria-valuenow={Number((timeOf(frame) - start).toFixed(3))}
      aria-valuetext={timeText(timeOf(frame) - start)}
      onPointerDown={press(part)}
      onPointerMove={drag(part)}
      onKeyDown={keys(part)}
    />
  );
  return (
    // The line moves to where it is pressed; its keys are those of the line.
    <div ref={strip} className={classes.strip} dir="ltr" onPointerDown={press('position')} onPointerMove={drag('position')}>
      <Pictures source={source} />
      <div className={classes.gone} style={{ insetInlineStart: 0, width: share(from) }} />
      <div className={classes.gone} style={{ insetInlineStart: share(to), insetInlineEnd: 0 }} />
      <div className={classes.kept} style={{ insetInlineStart: share(from), width: `calc(${share(to)} - ${share(from)})` }} />
      {slider('from', from, [0, to - 1])}
      {slider('position', position, [0, frames.length - 1])}
      {slider('to', to, [from + 1, frames.length])}
    </div>
  );
}

/** Device-independent pixels. */
const HEIGHT = 56;
const MAX_PICTURES = 24;

function Pictures({ source: { video, frames, end, size } }: { source: VideoSource }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    let isOver = false;
    const scale = window.devicePixelRatio;
    const { width } = element.getBoundingClientRect();
    element.width = Math.round(width * scale);
    element.height = HEIGHT * scale;
    const each = Math.max((HEIGHT * size.width) / size.height, width / MAX_PICTURES, 24);
    const count = Math.max(1, Math.ceil(width / each));
    const start = frames[0]?.time ?? 0;
    const times = Array.from({ length: count }, (_, index) => start + Math.min(0.999, ((index + 0.5) * each) / width) * (end - start));
    const drawAll = async () => {
      let index = 0;
      const sink = new CanvasSink(video, { width: Math.round(each * scale), height: HEIGHT * scale, fit: 'cover', poolSize: 1 });
      for await (const wrapped of sink.canvasesAtTimestamps(times)) {
        if (isOver) return;
        if (wrapped) context.drawImage(wrapped.canvas, index * each * scale, 0);
        index++;
      }
    };
    // They are for looks only: the player shows what is wrong.
    drawAll().catch((error: unknown) => console.warn('Couldn’t draw the pictures of a video:', error));
    return () => {
      isOver = true;
    };
  }, [video, frames, end, size]);
  return <canvas ref={canvas} className={classes.pictures} aria-hidden />;
}
