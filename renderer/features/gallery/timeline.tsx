import { useCallback, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Image } from '#api/images.ts';
import { dayOf, useFormat } from '#renderer/i18n/format.ts';
import { Badges, useDescribe } from '#renderer/images/badges.tsx';
import { useCopyLinks } from '#renderer/images/copy-links.tsx';
import { DayHeading } from '#renderer/images/day-heading.tsx';
import { Grid } from '#renderer/images/grid.tsx';
import type { Selection } from '#renderer/images/use-selection.ts';
import { hasDays, timeOf } from '#renderer/images/view.ts';
import type { Density, Timeline as Order } from '#renderer/preference-values.ts';
import { usePreferences } from '#renderer/preferences.ts';

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
  /** Says which images visitors of the album don't see. */
  inPublicAlbum: boolean;
  selection: Selection<Image>;
  onOpen: (image: Image) => void;
  onRemove: (images: readonly Image[]) => void;
  onNearEnd: () => void;
  returnTo: string | undefined;
}

/** The gallery's images, under their days where the order has days. */
export function Timeline({ timeline, inPublicAlbum, ...rest }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const { density } = usePreferences();
  const days = useMemo(() => (hasDays(timeline) ? daysBy(timeline) : undefined), [timeline]);
  const rowSize = useCallback((width: number, phone: boolean) => ({ gap: phone ? 3 : 6, target: rowHeight(density, width) }), [density]);
  const copyLinks = useRef(useCopyLinks());
  copyLinks.current = useCopyLinks();
  const copy = useCallback((image: Image) => void copyLinks.current([image]), []);
  const describe = useDescribe(inPublicAlbum);
  const label = useCallback(
    (image: Image) => describe(t('gallery.open', { name: image.name, date: format.moment(image.created_at) }), image),
    [t, format, describe],
  );
  return (
    <Grid
      Day={DayHeading}
      {...rest}
      label={t('gallery.timeline')}
      hint={t('gallery.keys')}
      rowSize={rowSize}
      dayOf={days}
      tileLabel={label}
      Badges={inPublicAlbum ? PublicAlbumBadges : Badges}
      onCopy={copy}
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

const PublicAlbumBadges = ({ image }: { image: Image }) => <Badges image={image} inPublicAlbum />;
