/** Describing a picture. */
export const picture = {
  description: 'Description',
  title: 'Title',
  titleHint: 'Shown instead of the file name.',
  caption: 'Caption',
  captionHint: 'Shown below the picture on its share page.',
  alt: 'Alternative text',
  altHint: 'Describes the picture to people who can’t see it. Markdown and HTML links use it.',
  versionOf: 'Replaced version',
} as const;
