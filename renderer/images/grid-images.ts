/** The images of a grid, of which some may not be loaded. */
export interface GridImages<T> {
  readonly count: number;
  at(index: number): T | undefined;
  /** Index of the image with a key, or −1. */
  find(key: string): number;
}

/** Finds the placeholder of an image: the hashes of its page, and its index among them. */
export type FindPlaceholder = (image: number) => { hashes: readonly (string | null)[]; index: number } | undefined;
