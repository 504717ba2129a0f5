import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '#renderer/service/client.ts';
import { sessionQuery } from '#renderer/service/queries.ts';

/** A shared image as its link shows it. Never loaded again while the page is open: a granted view stays granted. */
export const shareQuery = (key: string) =>
  queryOptions({
    queryKey: ['share', key],
    queryFn: ({ signal }) => client.call('GET /s/:key', { params: { key }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Whether an image belongs to the signed-in user; undefined until known. */
export function useIsMine(key: string): boolean | undefined {
  const session = useQuery(sessionQuery);
  const known = !!session.data?.user;
  const found = useQuery({
    queryKey: ['share', key, 'mine'],
    // A search for someone else's key returns an empty list, where a request for the image would fail.
    queryFn: async ({ signal }) => {
      const { items } = await client.call('GET /images', { query: { q: key, limit: 1 }, signal });
      return items.some((image) => image.key === key);
    },
    enabled: known,
  });
  if (session.isError || found.isError || session.data?.user === null) return false;
  return found.data;
}
