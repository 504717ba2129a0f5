import { queryOptions } from '@tanstack/react-query';
import { client } from '#renderer/service/client.ts';
import { keepAllSent, senderHeaders } from './sender.ts';

/** What a link asks for. Loaded again only after uploads: the page must not go while they run. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) => client.call('GET /r/:id', { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The pictures that a link shows to this sender. */
export const shownQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id, 'pictures'],
    queryFn: async ({ signal }) =>
      (await client.call('GET /r/:id/pictures', { params: { id }, query: { limit: 200 }, headers: senderHeaders(id), signal })).items,
  });

/** What this sender can still remove. It's kept, so that the page shows it at once the next time. */
export const ownQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id, 'own'],
    queryFn: async ({ signal }) => {
      const { items } = await client.call('GET /r/:id/remove', { params: { id }, headers: senderHeaders(id), signal });
      keepAllSent(id, items);
      return items;
    },
  });
