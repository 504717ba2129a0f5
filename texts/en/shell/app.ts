export const app = {
  tagline: 'Your pictures, one link away.',
  notFound: 'Page not found',
  notFoundHint: 'The page may have moved, or the address may be mistyped.',
  toPictures: 'Go to your pictures',
  skip: 'Skip to content',
} as const;
