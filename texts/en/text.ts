/** The text that was recognised in a picture. */
export const text = {
  title: 'Text in the picture',
  copyAll: 'Copy all text',
  remove: 'Remove text',
  removed: 'The text was removed. The picture itself hasn’t changed.',
  waiting: 'The text is yet to be recognised.',
  failed: 'The text couldn’t be recognised.',
  useAsAlt: 'Use the text in the picture',
} as const;
