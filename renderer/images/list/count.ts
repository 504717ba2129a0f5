import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Image } from '#api/images/images.ts';
import type { ImageSet, Span } from '#renderer/images/selection/selection.ts';
import { client } from '#renderer/service/client.ts';
import { type ImageView, toQuery } from './view.ts';

/** A view's filters as a batch takes them. Its dates are those that the view sorts by. */
function filtersOf(view: ImageView) {
  const { sort, ...filters } = toQuery(view);
  return { ...filters, date: sort.startsWith('taken') ? ('taken' as const) : ('uploaded' as const) };
}

/** The number of images in a view or a part of it, and the moment for which that is true. */
export function countQuery(view: ImageView, span?: Span) {
  const { favourite, ...filters } = filtersOf(view);
  return queryOptions({
    queryKey: ['images', 'count', view, span],
    queryFn: ({ signal }) =>
      client.call('GET /images/count', { query: { ...filters, favourite: favourite && ('true' as const), ...span }, signal }),
    staleTime: 30_000,
  });
}

/** Everything in a view at this moment, or in a part of it. */
export async function countSet(queryClient: QueryClient, view: ImageView, span?: Span): Promise<ImageSet> {
  const { count, as_of, counted_at } = await queryClient.fetchQuery({ ...countQuery(view, span), staleTime: 0 });
  return { query: { ...filtersOf(view), ...span, as_of }, count, until: counted_at, span };
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
