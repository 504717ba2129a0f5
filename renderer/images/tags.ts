import { queryOptions } from '@tanstack/react-query';
import { client } from '#renderer/service/client.ts';

/** A person's tags for menus: the first 200 in the alphabet. Others are found by typing them. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }) => (await client.call('GET /tags', { query: { limit: 200 }, signal })).items.map(({ tag }) => tag),
  staleTime: 30_000,
});
