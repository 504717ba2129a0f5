import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Image } from '#api/images/images.ts';
import type { ImageSet, Span } from '#renderer/images/selection/selection.ts';
import { client } from '#renderer/service/client.ts';
import type { BatchTarget } from './batch.ts';
import { type ImageView, isTrash, toQuery } from './view.ts';

/** A view's filters as a batch takes them. Its dates are those that the view sorts by. */
function filtersOf(view: ImageView) {
  const { sort, ...filters } = toQuery(view);
  const date = sort.startsWith('taken') ? 'taken' : sort === 'deleted_desc' ? 'deleted' : 'uploaded';
  return { ...filters, date } as const;
}

/** The number of images in a view or a part of it, and the moment for which that is true. */
export function countQuery(view: ImageView, span?: Span) {
  const { favourite, ...filters } = filtersOf(view);
  return queryOptions({
    queryKey: ['images', 'count', view, span],
    queryFn: ({ signal }) =>
      client.call('GET /images/count', {
        query: { ...filters, favourite: favourite && ('true' as const), trash: isTrash(view) ? 'true' : undefined, ...span },
        signal,
      }),
    staleTime: 30_000,
  });
}

/** Everything in a view at this moment, or in a part of it. */
export async function countSet(queryClient: QueryClient, view: ImageView, span?: Span): Promise<ImageSet> {
  const { count, expired, as_of, counted_at } = await queryClient.fetchQuery({ ...countQuery(view, span), staleTime: 0 });
  const query = { ...filtersOf(view), ...span, as_of };
  // What is deleted meanwhile isn't part of it, even if it was uploaded before.
  const isOpen = !span || Date.parse(span.to) > Date.parse(counted_at);
  if (isTrash(view) && isOpen) query.to = counted_at;
  return { query, count, expired, until: counted_at, span };
}

/** The number of images that leave each album when their first one is replaced, or when they are taken out of all. */
export async function countByAlbum({ images, sets, except }: BatchTarget, by: 'album' | 'first_album'): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const add = (id: string, count: number) => counts.set(id, (counts.get(id) ?? 0) + count);
  const left = ({ albums }: Image) => (by === 'album' ? albums : albums.slice(0, 1));
  for (const { query } of sets) {
    const { as_of: _, favourite, ...filters } = query;
    const { albums } = await client.call('GET /images/count', {
      query: { ...filters, favourite: favourite === undefined ? undefined : favourite ? 'true' : 'false', by },
    });
    for (const { id, count } of albums ?? []) add(id, count);
  }
  for (const image of images) for (const id of left(image)) add(id, 1);
  for (const image of except) for (const id of left(image)) add(id, -1);
  return counts;
}

/** Loads all images of a set, with those that a selection excepts. */
export async function imagesOf({ query: { as_of: _, favourite, ...filters } }: ImageSet): Promise<Image[]> {
  const images: Image[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call('GET /images', { query: { ...filters, favourite: favourite ? 'true' : undefined, limit: 200, cursor } });
    images.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return images;
}
