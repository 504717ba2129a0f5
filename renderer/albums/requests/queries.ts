import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { RouteInput } from '#api/contract.ts';
import type { Image } from '#api/images/images.ts';
import type { changeRequest } from '#api/sharing/requests.ts';
import { client } from '#renderer/service/client.ts';

const KEY = 'requests';

/** The request links of an album, newest first. */
export const requestsQuery = (albumId: string) =>
  queryOptions({
    queryKey: [KEY, albumId],
    queryFn: async ({ signal }) =>
      (await client.call('GET /albums/:id/requests', { params: { id: albumId }, query: { limit: 100 }, signal })).items,
  });

/** Who has sent what through a request link, the latest first. */
export const receivedQuery = (albumId: string, request: string) =>
  queryOptions({
    queryKey: [KEY, albumId, request, 'received'],
    queryFn: async ({ signal }) => {
      const input = { params: { id: albumId, request }, query: { limit: 200 }, signal };
      return (await client.call('GET /albums/:id/requests/:request/received', input)).items;
    },
  });

/** As many pictures as the service lists at once. */
const PART = 200;

/** Those of these pictures that only the user and an album's members can open. Its key makes it one of the counts that every batch refreshes. */
export const waitingQuery = (keys: readonly string[]) =>
  queryOptions({
    queryKey: ['images', 'count', 'waiting', keys],
    queryFn: async ({ signal }) => {
      const waiting: Image[] = [];
      for (let from = 0; from < keys.length; from += PART) {
        const query = { keys: keys.slice(from, from + PART).join(','), visibility: 'private', limit: PART } as const;
        waiting.push(...(await client.call('GET /images', { query, signal })).items);
      }
      return waiting;
    },
  });

/** Reads the lists of request links again after a change. */
export function useRequestChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => queryClient.invalidateQueries({ queryKey: [KEY] }) });
}

export type RequestChanges = RouteInput<typeof changeRequest>['body'];
