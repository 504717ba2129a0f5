import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Image } from '#api/images.ts';
import { imageQueryKey } from '#renderer/images/list.ts';
import { type ImageView, passes } from '#renderer/images/view.ts';
import { client } from '#renderer/service/client.ts';
import { limitsQuery } from '#renderer/service/queries.ts';

/** Distance to the end of the loaded images at which more are requested. */
const NEAR_END = 20;
/** Images to load in search of the one that a link opens; its neighbours aren't worth more requests. */
const MAX_SOUGHT = 2_000;

interface Wanted {
  images: readonly Image[];
  /** The list that `images` is the loaded part of; `more` if it isn't all. */
  view: ImageView;
  more: boolean;
  /** Key of the image to show. */
  shown: string;
  onNearEnd: () => void;
}

/** The image to show, its neighbours, and its position among them as far as it is known. */
export function useShownImage({ images, view, more, shown, onNearEnd }: Wanted) {
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
  // It is further down the list: load on, since Previous and Next need its neighbours.
  const sought = alone !== undefined && images.length < MAX_SOUGHT && passes(alone, view);
  const nearEnd = index < 0 ? sought : index >= images.length - NEAR_END;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one more page may not be enough
  useEffect(() => {
    if (nearEnd) onNearEnd();
  }, [nearEnd, images.length, onNearEnd]);
  const all = useCount(view);
  return {
    image: images[index] ?? alone,
    index: Math.max(0, index),
    slides: index >= 0 ? images : alone ? [alone] : [],
    total: index < 0 || !more ? undefined : (all ?? 'more'),
    error: single.error,
    isGone,
  } as const;
}

const isOver = ({ expires_at }: Image) => expires_at !== null && Date.parse(expires_at) <= Date.now();

/** The number of images in a view; undefined where only loading them all could tell. */
function useCount({ sort: _sort, ...filters }: ImageView): number | undefined {
  const { data: limits } = useQuery(limitsQuery);
  return Object.values(filters).some((value) => value !== undefined) ? undefined : limits?.image_count;
}
