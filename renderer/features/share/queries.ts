import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '#renderer/service/client.ts';
import { sessionQuery } from '#renderer/service/queries.ts';

/** What everybody may know about a shared picture. It is not asked for again while the page is open: a view that was granted stays granted. */
export const shareQuery = (key: string) =>
  queryOptions({
    queryKey: ['share', key],
    queryFn: ({ signal }) => client.call('GET /s/:key', { params: { key }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Whether a picture is the signed-in person's own; undefined until that is known. */
export function useIsMine(key: string): boolean | undefined {
  const session = useQuery(sessionQuery);
  const known = !!session.data?.user;
  const found = useQuery({
    queryKey: ['share', key, 'mine'],
    // Searching for a key answers an empty list, not a refusal, when it is somebody else's.
    queryFn: async ({ signal }) => {
      const { items } = await client.call('GET /images', { query: { q: key, limit: 1 }, signal });
      return items.some((image) => image.key === key);
    },
    enabled: known,
  });
  if (session.isError || found.isError || session.data?.user === null) return false;
  return found.data;
}
