import type { Image, ImageLinks } from '#api/images.ts';
import type { LinkFormat } from '../preference-values.ts';

/** One link of a picture in a format. */
export function linkIn(links: ImageLinks, format: LinkFormat): string {
  return format === 'thumbnail' ? links.thumbnail_url : links[format];
}

/**
 * The links of several pictures, one per line. Of a picture with a view limit it is the share page, in any format: embedded,
 * or looked at by a chat program, its views would be gone before anybody has seen it.
 */
export const linksIn = (images: readonly Pick<Image, 'links' | 'max_views'>[], format: LinkFormat) =>
  images.map(({ links, max_views }) => (max_views > 0 ? links.share_url : linkIn(links, format))).join('\n');
