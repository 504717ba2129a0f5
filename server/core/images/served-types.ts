/** The media types of images, by the extension of their links: what is stored is always in one of these formats. */
export const MIME_OF_EXT = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
} as const;
