import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Image } from '#api/images/images.ts';
import { dayOf } from '#renderer/i18n/format.ts';
import { imageQueryKey } from '#renderer/images/list/list.ts';
import { type ImageView, passes, timeOf } from '#renderer/images/list/view.ts';
import { client } from '#renderer/service/client.ts';

/** Distance to the end of the loaded images at which more are requested. */
const NEAR_END = 20;

interface Wanted {
  /** A part of the list of `view`, which has `count` images. */
  images: readonly Image[];
  count: number;
  view: ImageView;
  /** Key of the image to show. */
  shown: string;
  /** Loads the neighbours of `images` or, where there are none, the part of the list with this day. */
  onLoadAround: (day: string | undefined) => void;
}

/** The image to show, its neighbours, and its position among them as far as it is known. */
export function useShownImage({ images, count, view, shown, onLoadAround }: Wanted) {
  const index = images.findIndex(({ key }) => key === shown);
  // A link opens its image even before the list has loaded it.
  const single = useQuery({
    queryKey: imageQueryKey(shown),
    queryFn: ({ signal }) => client.call('GET /images/:key', { params: { key: shown }, signal }),
    enabled: index < 0,
  });
  // The service describes an expired image to its owner, but shows it only in the trash.
  const isGone = single.data !== undefined && (single.data.deleted_at !== null || isOver(single.data));
  const alone = index < 0 && !isGone ? single.data : undefined;
  const inside = index >= NEAR_END && index < images.length - NEAR_END;
  const day = alone && passes(alone, view) ? dayOf(timeOf(alone, view.sort)) : undefined;
  // Previous and Next need its neighbours.
  useEffect(() => {
    if (index < 0 ? day !== undefined : !inside) onLoadAround(day);
  }, [index, inside, day, onLoadAround]);
  return {
    image: images[index] ?? alone,
    index: Math.max(0, index),
    slides: index >= 0 ? images : alone ? [alone] : [],
    total: index < 0 || images.length === count ? undefined : count,
    error: single.error,
    isGone,
  } as const;
}

const isOver = ({ expires_at }: Image) => expires_at !== null && Date.parse(expires_at) <= Date.now();
