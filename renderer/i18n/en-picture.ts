/** Describing a picture. */
export const picture = {
  description: 'Description',
  title: 'Title',
  titleHint: 'Shown instead of the file name.',
  caption: 'Caption',
  captionHint: 'Shown below the picture on its share page.',
  alt: 'Alternative text',
  altHint: 'Describes the picture to people who can’t see it. Markdown and HTML links use it.',
  address: 'Address',
  addressHint: 'A readable address in place of the random one, which keeps working.',
  addressFree: 'This address is free.',
  addressProblem: {
    malformed: 'Use 2 to 63 letters (a to z), digits and hyphens.',
    like_key: 'Twelve letters and digits could be another picture’s address. Add a hyphen, for example.',
    reserved: 'This address is reserved. Choose another one.',
    taken: 'Another picture has this address. Choose another one.',
  },
  versionOf: 'Replaced version',
} as const;
