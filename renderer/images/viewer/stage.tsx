import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconChevronLeft,
  IconChevronRight,
  IconPlayerPause,
  IconPlayerPlay,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import Lightbox, { type ControllerRef, type FullscreenRef, type RenderSlideProps, type SlideshowRef } from 'yet-another-react-lightbox';
import Fullscreen from 'yet-another-react-lightbox/plugins/fullscreen';
import Inline from 'yet-another-react-lightbox/plugins/inline';
import Slideshow from 'yet-another-react-lightbox/plugins/slideshow';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import { useTranslation } from '#renderer/i18n/t.ts';
import 'yet-another-react-lightbox/styles.css';
import { isVideo } from '#api/formats.ts';
import type { Image } from '#api/images/images.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { originalSrc, PREVIEW_WIDTH, previewOf, stillOf, thumbnailSrc } from '#renderer/images/address.ts';
import type { PictureText } from '#renderer/images/text/picture-text.ts';
import { Picture, type PictureSlide } from './picture.tsx';
import type { Placeheld } from './placeholder.tsx';
import { useStageGestures } from './use-stage-gestures.tsx';
import { useArrowKeys, useScrollKeys, useShowKeys } from './use-viewer-keys.ts';
import { Video, type VideoSlide } from './video.tsx';
import { ViewerButton } from './viewer-dialog.tsx';
import classes from './viewer-frame.module.css';

type Shown = Pick<Image, 'key' | 'ext' | 'name' | 'title' | 'alt' | 'width' | 'height'> &
  Placeheld &
  Partial<Pick<Image, 'duration' | 'has_audio' | 'has_poster'>> & {
    sha256?: string;
    deleted_at?: string | null;
    /** An address of bytes that were already fetched, where each request for the image spends a view. */
    fetched?: string | undefined;
  };

/** Up to this duration, in seconds, a video without sound is repeated. */
const SHORT = 30;

/**
 * Photographs load as a large preview, and in full once zoomed in; images that may be animated or transparent load in full.
 * @param counts whether loading the original is a view: a slide then loads a preview until it is shown
 */
function toSlide(image: Shown, counts: boolean): PictureSlide | VideoSlide {
  const slide = {
    image,
    src: image.fetched ?? originalSrc(image),
    alt: image.alt || image.title || image.name,
    width: image.width,
    height: image.height,
  };
  // Of a video in the trash, only its poster can be seen.
  if (isVideo(image.ext) && !image.deleted_at) {
    const { duration, has_audio, has_poster } = image;
    const poster = has_poster === false ? undefined : thumbnailSrc(image, PREVIEW_WIDTH);
    return { ...slide, type: 'video', poster, loops: has_audio === false && (duration ?? SHORT) <= SHORT };
  }
  if (image.fetched) return slide;
  const preview = previewOf(image);
  const original = { src: slide.src, width: image.width, height: image.height };
  if (!preview) return counts ? { ...slide, srcSet: [stillOf(image), original], ahead: 1, atLeast: 1 } : slide;
  if (image.deleted_at) return { ...slide, ...preview };
  return { ...slide, srcSet: [preview, original], ...(counts && { ahead: 1 }) };
}

interface Props {
  images: readonly Shown[];
  index: number;
  /** Index of the first of `images` in the whole list. */
  start?: number;
  /** The total where not all are loaded; `more` where it is unknown. */
  total: number | 'more' | undefined;
  onShow: (key: string) => void;
  /** Begins with a running slideshow. */
  plays?: boolean;
  /** Whether loading an original counts as a view, as it does for anyone but its owner. */
  counts?: boolean;
  /** Lets a swipe down close the viewer on a touch screen. */
  onClose?: () => void;
  /** The text of the image that is shown, to be selected in its place. */
  text?: PictureText | undefined;
}

/**
 * The image itself, with zoom by Ctrl and the wheel, pinch, keys and double click, its neighbours on either side, slideshow (Space) and
 * full screen (F). The neighbours are loaded ahead. Its buttons are among those of the bar, or above the image that fills the screen.
 */
export function Stage({ images, index, start = 0, total, onShow, onClose, plays = false, counts = false, text }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const stage = useRef<HTMLDivElement>(null);
  const controller = useRef<ControllerRef>(null);
  const slideshow = useRef<SlideshowRef>(null);
  const fullscreen = useRef<FullscreenRef>(null);
  const [playing, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState<number>(INTERVALS[1]);
  useArrowKeys(stage, controller);
  useScrollKeys(stage);
  useShowKeys(stage, slideshow, fullscreen);
  const gestures = useStageGestures(stage, onClose);
  const place = useToolPlace(stage);
  const slides = useMemo(() => images.map((image) => toSlide(image, counts)), [images, counts]);
  const single = slides.length < 2;
  const position = t(total === 'more' ? 'viewer.positionOfMore' : 'viewer.position').replace(
    '{index}',
    start > 0 ? format.number(start + index + 1) : '{index}',
  );
  return (
    <div className={classes.stage} ref={stage} data-stage>
      <Lightbox
        plugins={single ? [Inline, Zoom, Fullscreen] : [Inline, Slideshow, Zoom, Fullscreen]}
        slides={slides}
        index={index}
        on={{
          view: ({ index: now }) => {
            const image = images[now];
            if (image && now !== index) onShow(image.key);
          },
          slideshowStart: () => setPlaying(true),
          slideshowStop: () => setPlaying(false),
        }}
        inline={{ className: classes.lightbox }}
        carousel={{ finite: true, preload: 1, padding: 0, spacing: '12%', imageProps: { draggable: false } }}
        animation={{ fade: 0, swipe: 220, navigation: 180 }}
        controller={{ focus: true, ref: controller, ...gestures.controller }}
        zoom={{ maxZoomPixelRatio: 2, ...gestures.zoom }}
        slideshow={{ autoplay: plays, delay: seconds * 1000, ref: slideshow }}
        fullscreen={{ ref: fullscreen }}
        toolbar={{ buttons: [...(single ? [] : ['slideshow' as const]), 'zoom', 'fullscreen'] }}
        labels={{
          Previous: t('viewer.previous'),
          Next: t('viewer.next'),
          Lightbox: t('viewer.label'),
          Carousel: t('viewer.carousel'),
          Slide: t('viewer.slide'),
          'Photo gallery': t('viewer.carousel'),
          '{index} of {total}': typeof total === 'number' ? position.replace('{total}', format.number(total)) : position,
        }}
        render={{
          ...gestures.render,
          iconPrev: () => <IconChevronLeft size={28} />,
          iconNext: () => <IconChevronRight size={28} />,
          slide: ({ zoom = 1, slide, ...props }: RenderSlideProps & { zoom?: number }) =>
            slide.type === 'video' ? (
              <Video {...props} key={slide.src} slide={slide} inSlideshow={playing} />
            ) : (
              <Picture {...props} key={slide.src} slide={slide as PictureSlide} zoom={zoom} zoomRef={gestures.zoom.ref} text={text} />
            ),
          buttonSlideshow: ({ disabled, play, pause }) =>
            place(
              <>
                {playing && <SlideshowInterval seconds={seconds} onChange={setSeconds} />}
                <ViewerButton
                  label={t(playing ? 'viewer.pause' : disabled ? 'viewer.playNone' : 'viewer.play')}
                  disabled={disabled}
                  onClick={playing ? pause : play}
                >
                  {playing ? <IconPlayerPause {...ICON} /> : <IconPlayerPlay {...ICON} />}
                </ViewerButton>
              </>,
            ),
          buttonZoom: ({ zoom, minZoom, maxZoom, disabled, zoomIn, zoomOut }) =>
            slides[index]?.type !== 'video' &&
            place(
              <>
                <ViewerButton label={t('viewer.zoomIn')} disabled={disabled || zoom >= maxZoom} onClick={zoomIn} data-roomy>
                  <IconZoomIn {...ICON} />
                </ViewerButton>
                <ViewerButton label={t('viewer.zoomOut')} disabled={disabled || zoom <= minZoom} onClick={zoomOut} data-roomy>
                  <IconZoomOut {...ICON} />
                </ViewerButton>
              </>,
            ),
          buttonFullscreen: ({ fullscreen, disabled, enter, exit }) =>
            place(
              <ViewerButton
                label={t(fullscreen ? 'viewer.leaveFullScreen' : 'viewer.fullScreen')}
                disabled={disabled ?? false}
                onClick={fullscreen ? exit : enter}
                data-roomy
              >
                {fullscreen ? <IconArrowsMinimize {...ICON} /> : <IconArrowsMaximize {...ICON} />}
              </ViewerButton>,
            ),
          ...(single && { buttonPrev: () => null, buttonNext: () => null }),
        }}
      />
    </div>
  );
}

const ICON = { size: 20, stroke: 1.8 };

/** Returns a function that places buttons of the stage: in the bar, or above the image while it fills the screen without the bar. */
function useToolPlace(stage: RefObject<HTMLElement | null>) {
  const [bar, setBar] = useState<Element | null>();
  const [full, setFull] = useState(false);
  useEffect(() => {
    setBar(stage.current?.closest('dialog, [role="dialog"]')?.querySelector('[data-tools]'));
    const note = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', note);
    return () => document.removeEventListener('fullscreenchange', note);
  }, [stage]);
  return (buttons: ReactNode) => (full ? buttons : bar && createPortal(buttons, bar));
}

/** For how many seconds a slideshow may show each picture. */
const INTERVALS = [3, 5, 10, 30] as const;

/** Chooses how long the slideshow shows each picture. */
function SlideshowInterval({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) {
  const { t } = useTranslation();
  return (
    <select
      className={classes.interval}
      aria-label={t('viewer.interval')}
      title={t('viewer.interval')}
      value={seconds}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    >
      {INTERVALS.map((interval) => (
        <option key={interval} value={interval}>
          {t('viewer.seconds', { count: interval })}
        </option>
      ))}
    </select>
  );
}
