import type { Image } from './images.ts';

/** The formats that every client can copy or print. */
export const LINK_FORMATS = ['url', 'markdown', 'html', 'bbcode'] as const;
export type LinkFormat = (typeof LINK_FORMATS)[number];
export const WEB_LINK_FORMATS = [...LINK_FORMATS, 'thumbnail'] as const;
export type WebLinkFormat = (typeof WEB_LINK_FORMATS)[number];

/** What {@link linkOf} needs of an image. */
export type Linked = Pick<Image, 'links' | 'max_views'>;

/**
 * The text to copy or print for an image. The address of a view-limited image is its share page, since previews and embeds of the direct
 * link would spend its views; its Markdown, HTML and BBCode lead to the share page as well, written by the service.
 */
export function linkOf({ links, max_views }: Linked, format: WebLinkFormat): string {
  if (format !== 'url' && format !== 'thumbnail') return links[format];
  if (max_views > 0) return links.share_url;
  return format === 'url' ? links.url : links.thumbnail_url;
}

/** The links of several images, one per line. */
export function linksOf(images: readonly Linked[], format: WebLinkFormat): string {
  return images.map((image) => linkOf(image, format)).join('\n');
}
