import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { client } from './client.ts';

/** What everything about sending is kept under. */
const KEY = 'sent';

export type Box = 'in' | 'out';

const PAGE_SIZE = 20;

/** What was sent to the user, or what they have sent, the latest first. */
export const sentQuery = (box: Box) =>
  infiniteQueryOptions({
    queryKey: [KEY, box],
    queryFn: ({ pageParam, signal }) => client.call('GET /sent', { query: { box, limit: PAGE_SIZE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    staleTime: 30_000,
  });

/** The number of those that were sent to the user and they haven't seen. */
export const unseenQuery = queryOptions({
  queryKey: [KEY, 'unseen'],
  queryFn: async ({ signal }) => (await client.call('GET /sent', { query: { box: 'in', limit: 0 }, signal })).unseen,
  staleTime: 60_000,
});

/** Takes back what the user has sent, or removes what was sent to them from their list. */
export async function removeSent(queryClient: QueryClient, id: string): Promise<void> {
  await client.call('DELETE /sent/:id', { params: { id } });
  void queryClient.invalidateQueries({ queryKey: [KEY] });
}

/** What was sent to the user and they have put into an album of theirs. */
export const receivedQuery = (albumId: string) =>
  infiniteQueryOptions({
    queryKey: [KEY, 'album', albumId],
    queryFn: ({ pageParam, signal }) =>
      client.call('GET /albums/:id/received', { params: { id: albumId }, query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    staleTime: 30_000,
  });
