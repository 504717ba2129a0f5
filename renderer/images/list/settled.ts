import type { QueryClient } from '@tanstack/react-query';

/** Resolves once no change by this page is on its way. */
export function untilSettled(queryClient: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    if (queryClient.isMutating() === 0) return resolve();
    const stop = queryClient.getMutationCache().subscribe(() => {
      if (queryClient.isMutating() > 0) return;
      stop();
      resolve();
    });
  });
}

/** What `read` returns when no change by this page begins or ends meanwhile: otherwise it may be older than that, and is read again. */
export async function readSettled<T>(queryClient: QueryClient, read: () => Promise<T>): Promise<T> {
  for (;;) {
    await untilSettled(queryClient);
    let isOutdated = false;
    const stop = queryClient.getMutationCache().subscribe(({ type }) => {
      isOutdated ||= type === 'updated';
    });
    const value = await read().finally(stop);
    if (!isOutdated) return value;
  }
}
