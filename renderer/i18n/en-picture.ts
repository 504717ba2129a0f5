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
  addressHint: 'A readable address in place of the random one, which keeps working.',
  addressFree: 'This address is available.',
  addressProblem: {
    malformed: 'Use 2 to 63 letters (a to z), digits and hyphens.',
    like_key: 'An address can’t be exactly 12 letters and digits. Use more or fewer, or add a hyphen.',
    reserved: 'This address is reserved. Choose another one.',
    taken: 'Another picture has this address. Choose another one.',
  },
  versionOf: 'Earlier version',
} as const;
