import { LRUCache } from 'lru-cache';

/**
 * A cache of the `max` entries that were used last. Its memory grows with them: the library's own `max` reserves it for all at once, 0.2 MB
 * for 10,000, and a service has twenty such caches.
 * @param dispose called with an entry that is removed, and why
 */
export function recentCache<V extends NonNullable<unknown>>(
  max: number,
  dispose?: LRUCache.Disposer<string, V>,
): Pick<LRUCache<string, V>, 'get' | 'has' | 'peek' | 'set' | 'delete' | 'clear'> {
  return new LRUCache<string, V>({ maxSize: max, sizeCalculation: () => 1, ...(dispose && { dispose }) });
}
