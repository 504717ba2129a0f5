import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Image } from '#api/images.ts';
import { oneKey } from '#renderer/images/list.ts';
import { type ImageView, passes } from '#renderer/images/view.ts';
import { client } from '#renderer/service/client.ts';
import { limitsQuery } from '#renderer/service/queries.ts';

/** Pictures before the end of what is loaded at which more is asked for. */
const NEAR_END = 20;
/** So many pictures are looked through for the one that a link leads to; neighbours beyond are not worth the requests. */
const MOST_SOUGHT = 2_000;

interface Wanted {
  images: readonly Image[];
  /** What they are a list of, and whether there are more than are loaded. */
  view: ImageView;
  more: boolean;
  /** Key of the picture that is shown. */
  shown: string;
  onNearEnd: () => void;
}

/** The picture that is shown, where it stands among which others, and of how many, as far as that is known. */
export function useShownImage({ images, view, more, shown, onNearEnd }: Wanted) {
  const index = images.findIndex(({ key }) => key === shown);
  // A link to a picture that the timeline has not loaded yet still opens it.
  const single = useQuery({
    queryKey: oneKey(shown),
    queryFn: ({ signal }) => client.call('GET /images/:key', { params: { key: shown }, signal }),
    enabled: index < 0,
  });
  const alone = index < 0 ? single.data : undefined;
  // It stands further down than what is loaded: Previous and Next need what is around it.
  const sought = alone !== undefined && images.length < MOST_SOUGHT && passes(alone, view);
  const nearEnd = index < 0 ? sought : index >= images.length - NEAR_END;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every page that has come may not be enough
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
  } as const;
}

/** How many pictures are in a view; undefined where only loading all would tell. */
function useCount({ sort: _sort, ...filters }: ImageView): number | undefined {
  const { data: limits } = useQuery(limitsQuery);
  return Object.values(filters).some((value) => value !== undefined) ? undefined : limits?.image_count;
}
