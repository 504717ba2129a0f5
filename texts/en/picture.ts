/** Describing a picture. */
export const picture = {
  description: 'Description',
  title: 'Title',
  titleHint: 'Shown instead of the file name.',
  caption: 'Caption',
  captionHint: 'Shown below the picture on its share page.',
  alt: 'Alternative text',
  altHint: 'Describes the picture to people who can’t see it. Markdown and HTML links use it.',
  address: 'Custom address',
  addressHint: 'A readable address for the links. The original link keeps working.',
  addressFree: 'This address is available.',
  addressProblem: {
    malformed: 'Use 2 to 63 letters (a to z), digits and hyphens, starting with a letter or digit.',
    like_key: 'Addresses of exactly 12 letters and digits are reserved. Make yours longer or shorter, or add a hyphen.',
    reserved: 'This address is reserved. Choose another one.',
    taken: 'Another picture uses this address, or did until recently. Choose a different one.',
  },
  compare: 'Compare with earlier versions',
  versionOf: 'Previous version of {{name}}',
  edit: 'Edit picture',
  more: 'More actions',
  replaceWith: 'Replace the picture…',
} as const;
