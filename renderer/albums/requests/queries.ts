import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { RouteInput } from '#api/contract.ts';
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

/** Reads the lists of request links again after a change. */
export function useRequestChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => queryClient.invalidateQueries({ queryKey: [KEY] }) });
}

export type RequestChanges = RouteInput<typeof changeRequest>['body'];
