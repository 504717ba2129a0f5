/** Joins sentences: with a space, but without one after Chinese punctuation. Leaves out empty ones. */
export const joinSentences = (...sentences: string[]): string =>
  sentences
    .filter(Boolean)
    .join(' ')
    .replaceAll(/(?<=[。！？]) /g, '');
