import { expect, it } from 'vitest';
import { NetworkError } from '#api/client.ts';
import { connection } from '#renderer/service/connection.ts';
import { createQueryClient } from '#renderer/service/query-client.ts';

it('whichever answer tells that the service is back, what has failed meanwhile is loaded again', async () => {
  const queryClient = createQueryClient(() => undefined);
  let away = true;
  const images = async () => {
    if (away) throw new NetworkError('Could not reach the service.');
    return ['one.jpg'];
  };
  await queryClient.prefetchQuery({ queryKey: ['pictures'], queryFn: images, retry: false });
  expect(queryClient.getQueryState(['pictures'])?.status).toBe('error');
  expect(connection.isLost()).toBe(true);
  away = false;
  await queryClient.prefetchQuery({ queryKey: ['limits'], queryFn: async () => 'another answer' });
  expect(connection.isLost()).toBe(false);
  await expect.poll(() => queryClient.getQueryData(['pictures'])).toEqual(['one.jpg']);
  queryClient.clear();
});
