import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { FORMATS, formatOf } from '#api/formats.ts';
import { clockTime } from '#renderer/i18n/clock.ts';
import { originalSrc } from '#renderer/images/address.ts';
import { isSlowConnection } from '#renderer/platform/pace.ts';
import badge from './badges.module.css';

interface Props {
  image: { key: string; sha256?: string; duration?: number | null };
  ext: string;
  className: string | undefined;
  /** Whether its mark has room for nothing but words. */
  isNarrow: boolean;
  /** Whether it plays over its thumbnail. */
  plays: boolean;
}

/** How long the mouse must point at a video before it plays, in milliseconds: crossing it isn't a wish to see it. */
const VIDEO_AFTER = 500;

/** Where motion is unwelcome, animations and videos play in the viewer only. */
const isMotionWelcome = () => !window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Marks an animation or a video, and plays it over its thumbnail while the mouse points at it; an animation also while the keyboard's focus
 * is on it. Videos play without sound.
 */
export function Moving({ image, ext, className, isNarrow, plays }: Props) {
  const { duration = null } = image;
  const isVideo = duration !== null;
  const name = formatOf(ext);
  const mark = useRef<HTMLSpanElement>(null);
  const [isStarted, setStarted] = useState(false);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    const tile = mark.current?.parentElement;
    if (!plays || !tile) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const start = ({ pointerType }: PointerEvent) => {
      const mayPlay = pointerType === 'mouse' && isMotionWelcome();
      if (!isVideo) setStarted(mayPlay);
      else if (mayPlay && !isSlowConnection()) timer = setTimeout(() => setStarted(true), VIDEO_AFTER);
    };
    const startByKeys = () => setStarted(!isVideo && tile.matches(':focus-visible') && isMotionWelcome());
    const stop = () => {
      clearTimeout(timer);
      setStarted(false);
      setLoaded(false);
    };
    const handlers = { pointerenter: start, pointerleave: stop, focus: startByKeys, blur: stop } as const;
    for (const [event, handler] of Object.entries(handlers)) tile.addEventListener(event, handler as EventListener);
    return () => {
      stop();
      for (const [event, handler] of Object.entries(handlers)) tile.removeEventListener(event, handler as EventListener);
    };
  }, [plays, isVideo]);
  const shown = { src: originalSrc({ ...image, ext }), className: `${className} ${badge.playing}` };
  return (
    <>
      {isStarted &&
        (isVideo ? (
          <video
            {...shown}
            ref={release}
            // Browsers start none that is hidden.
            style={{ opacity: loaded ? 1 : 0 }}
            muted
            loop
            autoPlay
            playsInline
            tabIndex={-1}
            aria-hidden
            onPlaying={() => setLoaded(true)}
          />
        ) : (
          <img {...shown} alt="" draggable={false} hidden={!loaded} onLoad={() => setLoaded(true)} />
        ))}
      <span ref={mark} className={badge.moving} data-playing={loaded || undefined} data-narrow={isNarrow || undefined} aria-hidden>
        {!isNarrow && <IconPlayerPlayFilled size={10} />}
        {isVideo ? clockTime(duration) : name ? FORMATS[name].label : ext}
      </span>
    </>
  );
}

/** Browsers go on loading a video that has left the page. */
const release = (video: HTMLVideoElement | null) => () => {
  video?.removeAttribute('src');
  video?.load();
};
