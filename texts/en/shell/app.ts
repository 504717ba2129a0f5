export const app = {
  tagline: 'Your pictures, one link away.',
  notFound: 'Page not found',
  notFoundHint: 'The page may have moved, or the address may be mistyped.',
  crashed: 'Something went wrong on this page',
  toPictures: 'Go to your pictures',
  reload: 'Reload',
  skip: 'Skip to content',
} as const;
