/** The first index whose item meets a condition, which all later ones meet as well; the length if none does. */
export function firstIndex<T>(items: readonly T[], isMet: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isMet(items[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
