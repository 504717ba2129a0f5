import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import Lightbox, { type ControllerRef, type SlideImage } from 'yet-another-react-lightbox';
import Inline from 'yet-another-react-lightbox/plugins/inline';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import 'yet-another-react-lightbox/styles.css';
import type { Image } from '#api/images.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { originalSrc, previewOf } from './address.ts';
import { useArrowKeys } from './use-arrow-keys.ts';
import classes from './viewer-frame.module.css';

type Shown = Pick<Image, 'key' | 'ext' | 'name' | 'title' | 'alt' | 'width' | 'height'> & { sha256?: string };

/** Photographs load as a large preview, and in full once zoomed in; images that may be animated or transparent load in full. */
function toSlide(image: Shown): SlideImage {
  const slide = { src: originalSrc(image), alt: image.alt || image.title || image.name, width: image.width, height: image.height };
  const preview = previewOf(image);
  if (!preview) return slide;
  return {
    ...slide,
    srcSet: [preview, { src: slide.src, width: image.width, height: image.height }],
  };
}

interface Props {
  images: readonly Shown[];
  index: number;
  /** The total where not all are loaded; `more` where it is unknown. */
  total: number | 'more' | undefined;
  onShow: (key: string) => void;
}

/** The image itself, with zoom by wheel, pinch, keys and double click, and its neighbours on either side. */
export function Stage({ images, index, total, onShow }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const stage = useRef<HTMLDivElement>(null);
  const controller = useRef<ControllerRef>(null);
  useArrowKeys(stage, controller);
  const slides = useMemo(() => images.map(toSlide), [images]);
  const single = slides.length < 2;
  const position = t(total === 'more' ? 'viewer.positionOfMore' : 'viewer.position');
  return (
    <div className={classes.stage} ref={stage}>
      <Lightbox
        plugins={[Inline, Zoom]}
        slides={slides}
        index={index}
        on={{
          view: ({ index: now }) => {
            const image = images[now];
            if (image && now !== index) onShow(image.key);
          },
        }}
        inline={{ className: classes.lightbox }}
        carousel={{ finite: true, preload: 1, padding: 0, spacing: '12%', imageProps: { draggable: false } }}
        animation={{ fade: 0, swipe: 220, navigation: 180 }}
        controller={{ focus: true, ref: controller }}
        zoom={{ maxZoomPixelRatio: 2, scrollToZoom: true }}
        toolbar={{ buttons: ['zoom'] }}
        labels={{
          Previous: t('viewer.previous'),
          Next: t('viewer.next'),
          'Zoom in': t('viewer.zoomIn'),
          'Zoom out': t('viewer.zoomOut'),
          Lightbox: t('viewer.label'),
          Carousel: t('viewer.carousel'),
          Slide: t('viewer.slide'),
          'Photo gallery': t('viewer.carousel'),
          '{index} of {total}': typeof total === 'number' ? position.replace('{total}', format.number(total)) : position,
        }}
        render={{
          iconPrev: () => <IconChevronLeft size={28} />,
          iconNext: () => <IconChevronRight size={28} />,
          iconZoomIn: () => <IconZoomIn size={20} stroke={1.7} />,
          iconZoomOut: () => <IconZoomOut size={20} stroke={1.7} />,
          ...(single && { buttonPrev: () => null, buttonNext: () => null }),
        }}
      />
    </div>
  );
}
