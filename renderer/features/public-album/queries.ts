import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '#renderer/service/client.ts';

/** Pictures per request; a few screens of them. */
const PAGE_SIZE = 100;

/** What everybody may know about a public album. */
export const albumQuery = (id: string) =>
  queryOptions({
    queryKey: ['public-album', id],
    queryFn: ({ signal }) => client.call('GET /a/:id', { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Its pictures, page by page as a visitor scrolls. */
export const albumImagesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['public-album', id, 'images'],
    queryFn: ({ pageParam, signal }) =>
      client.call('GET /a/:id/images', { params: { id }, query: { limit: PAGE_SIZE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
