import { IconLock, IconStarFilled } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { dayOf, useFormat } from '#renderer/i18n/format.ts';
import { DayHeading } from '#renderer/images/day-heading.tsx';
import { Grid } from '#renderer/images/grid.tsx';
import type { Selection } from '#renderer/images/use-selection.ts';
import { hasDays, timeOf } from '#renderer/images/view.ts';
import type { Density, Timeline as Order } from '#renderer/preference-values.ts';
import { usePreferences } from '#renderer/preferences.ts';
import classes from './gallery.module.css';

const HEIGHTS: Record<Density, number> = { small: 132, medium: 200, large: 300 };

/** The row height to aim at: two or three images side by side on a phone, not dozens on a very wide screen. */
function rowHeight(density: Density, width: number): number {
  const scale = width < 640 ? 0.6 : width > 2200 ? 1.35 : 1;
  return Math.round(HEIGHTS[density] * scale);
}

interface Props {
  pages: readonly (readonly Image[])[];
  timeline: Order;
  /** Whether there are more images than are loaded. */
  more: boolean;
  selection: Selection<Image>;
  onOpen: (image: Image) => void;
  onRemove: (images: readonly Image[]) => void;
  onNearEnd: () => void;
  returnTo: string | undefined;
}

/** The gallery's images, under their days where the order has days. */
export function Timeline({ timeline, ...rest }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { density } = usePreferences();
  const days = useMemo(() => (hasDays(timeline) ? daysBy(timeline) : undefined), [timeline]);
  const rowSize = useCallback((width: number, phone: boolean) => ({ gap: phone ? 3 : 6, target: rowHeight(density, width) }), [density]);
  const label = useCallback(({ name, created_at }: Image) => t('gallery.open', { name, date: format.moment(created_at) }), [t, format]);
  return (
    <Grid
      Day={DayHeading}
      {...rest}
      label={t('gallery.timeline')}
      hint={t('gallery.keys')}
      rowSize={rowSize}
      dayOf={days}
      tileLabel={label}
      Badges={Badges}
    />
  );
}

/** The day of an image. Each is computed once, since every layout asks for all of them. */
function daysBy(timeline: Order): (image: Image) => string {
  const days = new WeakMap<Image, string>();
  return (image) => {
    const day = days.get(image) ?? dayOf(timeOf(image, timeline));
    days.set(image, day);
    return day;
  };
}

function Badges({ image }: { image: Image }) {
  const { t } = useTranslation();
  return (
    <>
      {image.favourite && (
        <span className={classes.badge} data-favourite title={t('library.favourite')}>
          <IconStarFilled size={14} aria-hidden />
        </span>
      )}
      {image.visibility === 'private' && (
        <span className={classes.badge} title={t('gallery.private')}>
          <IconLock size={14} aria-hidden />
        </span>
      )}
    </>
  );
}
