import type { Image, ImageLinks } from '#api/images.ts';
import type { LinkFormat } from '../preference-values.ts';

/** One link of a picture in a format. */
export function linkIn(links: ImageLinks, format: LinkFormat): string {
  return format === 'thumbnail' ? links.thumbnail_url : links[format];
}

/** The links of several pictures, one per line. */
export const linksIn = (images: readonly Pick<Image, 'links'>[], format: LinkFormat) =>
  images.map(({ links }) => linkIn(links, format)).join('\n');
