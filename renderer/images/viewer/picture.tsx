import { IconPhotoOff } from '@tabler/icons-react';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { activeSlideStatus, type ContainerRect, type SlideImage, useEvents, type ZoomRef } from 'yet-another-react-lightbox';
import { mayBeTransparent } from '#api/formats.ts';
import type { PictureText } from '#renderer/images/text/picture-text.ts';
import { load } from '#renderer/service/connection.ts';
import { type Placeheld, Placeholder } from './placeholder.tsx';
import classes from './viewer-frame.module.css';

const TextLayer = lazy(() => load(() => import('./text-layer.tsx')).then((module) => ({ default: module.TextLayer })));

/** A slide with what the viewer knows about its image. */
export interface PictureSlide extends SlideImage {
  image: Placeheld & { key: string; ext: string };
  /** How many sources, from the first, are loaded while the slide isn't shown, and which it needs at least once it is. */
  ahead?: number;
  atLeast?: number;
}

interface Props {
  slide: PictureSlide;
  /** 0 for the slide that is shown, otherwise its distance from that. */
  offset: number;
  /** The stage. */
  rect: ContainerRect;
  zoom: number;
  zoomRef: RefObject<ZoomRef | null>;
  /** The text of the image that is shown. */
  text: PictureText | undefined;
}

/** An image at least this many times as high as wide opens at full width. */
const LONG = 2.5;
const FAR = 1e7;
/** Smaller images are enlarged to this size, with an edge: a pixel alone couldn't be seen. */
const TINY_PX = 24;

/** Never larger than the image itself. */
function fitted({ width = 0, height = 0 }: SlideImage, stage: ContainerRect) {
  const scale = Math.min(1, stage.width / Math.max(1, width), stage.height / Math.max(1, height));
  return { width: width * scale, height: height * scale };
}

/**
 * One image of the viewer: at once as what is known of it, then sharper. A long one opens at full width, from the top; a transparent one has
 * a checkerboard behind it.
 */
export function Picture({ slide, offset, rect, zoom, zoomRef, text }: Props) {
  const { publish } = useEvents();
  const box = fitted(slide, rect);
  const sources = slide.srcSet ?? [{ src: slide.src, width: slide.width ?? 0 }];
  const pixels = box.width * zoom * window.devicePixelRatio;
  const { ahead = sources.length, atLeast = 0 } = slide;
  const enough = sources.findIndex(({ width }, at) => at >= atLeast && width >= pixels);
  const sharp = enough < 0 ? sources.length - 1 : enough;
  const wanted = offset === 0 ? sharp : Math.min(sharp, ahead - 1);
  const [loaded, setLoaded] = useState(-1);
  const [failed, setFailed] = useState(false);
  const sharpest = Math.max(wanted, loaded);
  const status = loaded >= 0 ? 'complete' : failed ? 'error' : 'loading';
  // The slideshow waits for it.
  useEffect(() => {
    if (offset === 0) publish(activeSlideStatus(status));
  }, [offset, status, publish]);
  useFullWidth({ box, slide, stage: rect, zoom, zoomRef, isShown: offset === 0 });
  return (
    <div
      className={classes.picture}
      style={box}
      data-tiny={(box.width < TINY_PX && box.height < TINY_PX) || undefined}
      data-current={offset === 0 || undefined}
      aria-busy={(offset === 0 && status === 'loading') || undefined}
      data-transparent={(status === 'complete' && mayBeTransparent(slide.image.ext)) || undefined}
    >
      {status !== 'complete' && <Placeholder image={slide.image} />}
      {sources.map(
        ({ src }, at) =>
          // The one that is there stays until a sharper one is, too.
          (at === sharpest || at === loaded) && (
            <img
              key={src}
              src={src}
              alt={at === sharpest ? slide.alt : ''}
              draggable={false}
              data-loaded={at <= loaded || undefined}
              onLoad={({ currentTarget }) =>
                void currentTarget.decode().then(
                  () => setLoaded(at),
                  () => setLoaded(at),
                )
              }
              onError={() => setFailed(true)}
            />
          ),
      )}
      {offset === 0 && status === 'complete' && text?.key === slide.image.key && (
        <Suspense>
          <TextLayer lines={text.lines} searched={text.searched} scale={box.width / (slide.width || box.width)} />
        </Suspense>
      )}
      {status === 'error' && <IconPhotoOff size={48} stroke={1.2} aria-hidden />}
    </div>
  );
}

interface FullWidth {
  box: ContainerRect;
  slide: SlideImage;
  stage: ContainerRect;
  zoom: number;
  zoomRef: RefObject<ZoomRef | null>;
  isShown: boolean;
}

/** Opens a long image at full width, from the top. Zooming out shows the whole. */
function useFullWidth({ box, slide: { width = 0, height = 0 }, stage, zoom, zoomRef, isShown }: FullWidth) {
  const opened = useRef(false);
  const target = box.width > 0 ? Math.min(width, stage.width) / box.width : 1;
  const isLong = height >= LONG * width && target > 1.2;
  useEffect(() => {
    if (!isShown) opened.current = false;
    // The lightbox begins each image at 1.
    else if (isLong && zoom === 1 && !opened.current) {
      opened.current = true;
      zoomRef.current?.changeZoom(target, true, 0, -FAR);
    }
  }, [isShown, isLong, zoom, target, zoomRef]);
}
