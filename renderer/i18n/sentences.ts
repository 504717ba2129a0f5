/** What goes between a sentence and a link or emphasised text beside it: a space, but nothing after Chinese punctuation. */
export const gapAfter = (sentence: string): string => (/[。！？]$/.test(sentence) ? '' : ' ');

/** Joins sentences: with a space, but without one beside Chinese punctuation. Leaves out empty ones. */
export const joinSentences = (...sentences: string[]): string =>
  sentences
    .filter(Boolean)
    .join(' ')
    .replaceAll(/(?<=[。！？]) | (?=（)/g, '');
