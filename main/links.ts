import type { LinkFormat } from '#api/desktop.ts';
import type { Image } from '#api/images.ts';

type Linked = Pick<Image, 'links' | 'max_views'>;

/**
 * The link to copy for a picture. A picture with a view limit is copied as its share page, whatever the format: a preview in a chat
 * would use up a direct link.
 */
export function linkOf({ links, max_views }: Linked, format: LinkFormat): string {
  return max_views > 0 ? links.share_url : links[format];
}

/** Several links, one per line. */
export function linksOf(images: readonly Linked[], format: LinkFormat): string {
  return images.map((image) => linkOf(image, format)).join('\n');
}
