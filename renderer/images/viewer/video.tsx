import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { activeSlideStatus, type ContainerRect, type GenericSlide, useEvents } from 'yet-another-react-lightbox';
import type { Image } from '#api/images/images.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { downloadHref } from '#renderer/images/address.ts';
import { type Placeheld, Placeholder } from './placeholder.tsx';
import { OWN_KEYS, PRESSED_BY_SPACE } from './use-viewer-keys.ts';
import classes from './viewer-frame.module.css';

declare module 'yet-another-react-lightbox' {
  interface SlideTypes {
    video: VideoSlide;
  }
}

/** A slide that plays. */
export interface VideoSlide extends GenericSlide {
  type: 'video';
  src: string;
  alt: string;
  width: number;
  height: number;
  poster: string | undefined;
  /** Whether it is repeated, as an animation is: it is short and has no sound. */
  loops: boolean;
  image: Placeheld & Pick<Image, 'key' | 'ext' | 'name'>;
}

/** How much larger than it is a video is shown to fill the stage, and how wide it is at least, so that its controls have room, in CSS pixels. */
const MAX_SCALE = 2;
const MIN_WIDTH = 320;

function fitted({ width, height }: VideoSlide, stage: ContainerRect) {
  const largest = Math.max(MAX_SCALE, MIN_WIDTH / Math.max(1, width));
  const scale = Math.min(largest, stage.width / Math.max(1, width), stage.height / Math.max(1, height));
  return { width: width * scale, height: height * scale };
}

interface Props {
  slide: VideoSlide;
  /** 0 for the slide that is shown. */
  offset: number;
  /** The stage. */
  rect: ContainerRect;
  /** Whether a slideshow is running, which continues at the end of the video. */
  inSlideshow: boolean;
}

/** A video of the viewer. Only the one that is shown is loaded; another is its poster. */
export function Video({ slide, offset, rect, inSlideshow }: Props) {
  return (
    <div className={classes.picture} style={fitted(slide, rect)} data-current={offset === 0 || undefined}>
      {offset === 0 ? (
        <Player slide={slide} inSlideshow={inSlideshow} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: nothing is played
        <video poster={slide.poster} aria-label={slide.alt} />
      )}
    </div>
  );
}

/** Where the browser's own controls are, from the lower edge of a video, in CSS pixels. */
const CONTROLS = 90;
const RATES = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2] as const;

function Player({ slide, inSlideshow }: Pick<Props, 'slide' | 'inSlideshow'>) {
  const { t } = useTranslation();
  const { publish } = useEvents();
  const video = useRef<HTMLVideoElement>(null);
  const [fault, setFault] = useState<'unplayable' | 'interrupted'>();
  const [attempt, setAttempt] = useState(0);
  const [rate, setRate] = useState(1);
  const [isKnown, setKnown] = useState(false);
  useKeys(video);
  useSound(video);
  // Browsers go on loading a video that has left the page.
  useEffect(() => {
    const element = video.current;
    // The slideshow waits for it, and for its end.
    publish(activeSlideStatus('loading'));
    return () => {
      element?.removeAttribute('src');
      element?.load();
    };
  }, [publish]);
  useEffect(() => {
    if (attempt > 0) video.current?.load();
  }, [attempt]);
  const status = (now: 'playing' | 'complete' | 'error') => publish(activeSlideStatus(now));
  const fail = (kind: typeof fault) => {
    setFault(kind);
    status('error');
  };
  // A press on the controls isn't a swipe, and neither is one of the mouse, which has buttons to press.
  const keep = (event: PointerEvent) => {
    const { bottom } = event.currentTarget.getBoundingClientRect();
    if (event.pointerType === 'mouse' || event.clientY > bottom - CONTROLS) event.stopPropagation();
  };
  return (
    <>
      {!isKnown && !fault && <Placeholder image={slide.image} />}
      {/* biome-ignore lint/a11y/useMediaCaption: what was uploaded has none */}
      <video
        ref={video}
        src={slide.src}
        poster={slide.poster}
        aria-label={slide.alt}
        controls
        playsInline
        autoPlay={!window.matchMedia('(prefers-reduced-motion: reduce)').matches}
        loop={slide.loops && !inSlideshow}
        preload="metadata"
        hidden={fault !== undefined}
        onPointerDown={keep}
        onPlaying={() => status('playing')}
        onPause={() => status('complete')}
        onEnded={() => status('complete')}
        onRateChange={({ currentTarget }) => setRate(currentTarget.playbackRate)}
        onLoadedData={() => setKnown(true)}
        onLoadedMetadata={({ currentTarget }) => {
          // A browser may know the sound of a file, but not its pictures.
          if (currentTarget.videoWidth === 0) fail('unplayable');
          else if (currentTarget.paused) status('complete');
        }}
        onError={({ currentTarget: { error } }) => fail(error?.code === MediaError.MEDIA_ERR_NETWORK ? 'interrupted' : 'unplayable')}
      />
      {fault && (
        <div className={classes.unplayable} role="alert">
          <p>{joinSentences(t(`viewer.${fault}`), fault === 'unplayable' ? t('viewer.playElsewhere') : '')}</p>
          {fault === 'interrupted' && (
            <button
              type="button"
              onClick={() => {
                setFault(undefined);
                setAttempt(attempt + 1);
              }}
            >
              {t('viewer.tryAgain')}
            </button>
          )}
          <a href={downloadHref(slide.image)} download={slide.image.name}>
            {t('viewer.download')}
          </a>
        </div>
      )}
      {!fault && <Rate video={video} rate={rate} />}
    </>
  );
}

/** Chooses how fast a video plays, among the buttons of the bar. */
function Rate({ video, rate }: { video: RefObject<HTMLVideoElement | null>; rate: number }) {
  const { t } = useTranslation();
  const [bar, setBar] = useState<Element | null>();
  useEffect(() => setBar(viewerOf(video.current)?.querySelector('[data-tools]')), [video]);
  return (
    bar &&
    createPortal(
      <select
        className={classes.interval}
        data-roomy
        aria-label={t('viewer.rate')}
        title={t('viewer.rate')}
        value={rate}
        onChange={({ currentTarget }) => {
          if (video.current) video.current.playbackRate = Number(currentTarget.value);
        }}
      >
        {[...new Set([...RATES, rate])]
          .sort((one, other) => one - other)
          .map((each) => (
            <option key={each} value={each}>
              {`${each}×`}
            </option>
          ))}
      </select>,
      bar,
    )
  );
}

const viewerOf = (element: Element | null | undefined) => element?.closest('dialog, [role="dialog"]');

const KEY = 'pixdock.sound';

/** Plays with the volume that was chosen last. */
function useSound(video: RefObject<HTMLVideoElement | null>) {
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    try {
      const { volume, muted } = JSON.parse(localStorage.getItem(KEY) ?? '{}');
      if (volume >= 0 && volume <= 1) element.volume = volume;
      element.muted = muted === true;
    } catch {
      // Storage is blocked, or another release has stored something else.
    }
    const keep = () => {
      try {
        localStorage.setItem(KEY, JSON.stringify({ volume: element.volume, muted: element.muted }));
      } catch {
        // Storage is blocked.
      }
    };
    element.addEventListener('volumechange', keep);
    return () => element.removeEventListener('volumechange', keep);
  }, [video]);
}

/** Seconds: how far an arrow key seeks, and about how long a frame lasts, which browsers don't say. */
const SEEK = 5;
const FRAME = 1 / 30;

/**
 * Space plays and pauses wherever the focus is in the viewer, M mutes, comma and full stop show the frame before or after, < and > change
 * the speed; the arrow keys seek with Shift, or while the focus is on the video.
 */
function useKeys(video: RefObject<HTMLVideoElement | null>) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const element = video.current;
      const target = event.target as Element;
      const isOurs = viewerOf(element)?.contains(target) || target === document.body;
      if (!element || !isOurs || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (target.closest(OWN_KEYS) || (event.key === ' ' && target.closest(PRESSED_BY_SPACE))) return;
      const action = actionOf(event, element);
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    };
    // Before the viewer, for which some of these keys mean something else, and before the browser's own controls.
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, [video]);
}

function actionOf({ key, shiftKey, target }: KeyboardEvent, video: HTMLVideoElement): (() => void) | undefined {
  const seek = (by: number) => () => {
    video.currentTime = Math.min(Math.max(0, video.currentTime + by), video.duration || 0);
  };
  const step = (by: number) => () => {
    video.pause();
    seek(by)();
  };
  const change = (by: 1 | -1) => () => {
    const next = by > 0 ? RATES.find((rate) => rate > video.playbackRate) : RATES.findLast((rate) => rate < video.playbackRate);
    if (next) video.playbackRate = next;
  };
  const isSeeking = shiftKey || target === video;
  const actions: Record<string, (() => void) | false> = {
    ' ': () => void (video.paused ? video.play() : video.pause()),
    m: () => {
      video.muted = !video.muted;
    },
    ',': step(-FRAME),
    '.': step(FRAME),
    '<': change(-1),
    '>': change(1),
    ArrowLeft: isSeeking && seek(-SEEK),
    ArrowRight: isSeeking && seek(SEEK),
  };
  return actions[key] || undefined;
}
