import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '#renderer/service/client.ts';

/** A few screens of images. */
const PAGE_SIZE = 100;

/** An album as its link shows it. Password-protected ones are hidden until unlocked. */
export const albumQuery = (id: string) =>
  queryOptions({
    queryKey: ['public-album', id],
    queryFn: ({ signal }) => client.call('GET /a/:id', { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The album's images, loaded page by page while scrolling. */
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
