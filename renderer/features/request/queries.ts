import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '#renderer/service/client.ts';
import { keepAllSent, senderHeaders } from './sender.ts';

/** What a link asks for. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) => client.call('GET /r/:id', { params: { id }, headers: senderHeaders(id), signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

const FOLLOW_MS = 30_000;

/** Notices that a link has been paused, resumed or ended. */
export const useFollowed = (id: string, isActive = true) =>
  useQuery({ ...requestQuery(id), refetchInterval: isActive && FOLLOW_MS, refetchOnWindowFocus: isActive && 'always' });

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
