import { onlineManager } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { NetworkError } from '#api/client.ts';
import { createQueryClient } from '#renderer/service/query-client.ts';

it('any response after an outage reloads the queries that failed', async () => {
  const queryClient = createQueryClient(() => undefined);
  let away = true;
  const images = async () => {
    if (away) throw new NetworkError('Could not reach the service.');
    return ['one.jpg'];
  };
  await queryClient.prefetchQuery({ queryKey: ['pictures'], queryFn: images, retry: false });
  expect(queryClient.getQueryState(['pictures'])?.status).toBe('error');
  expect(onlineManager.isOnline()).toBe(false);
  away = false;
  await queryClient.prefetchQuery({ queryKey: ['limits'], queryFn: async () => 'another response' });
  expect(onlineManager.isOnline()).toBe(true);
  await expect.poll(() => queryClient.getQueryData(['pictures'])).toEqual(['one.jpg']);
  queryClient.clear();
});
