import type { TFunction } from 'i18next';
import type { Image, ImageLinks } from '#api/images.ts';
import { LINK_FORMATS, type LinkFormat } from '#renderer/preference-values.ts';

/** The links of a picture in every format, named in the language of the page. Where views are counted, there is no thumbnail. */
export const linksByFormat = (links: ImageLinks, t: TFunction, counted = false) =>
  LINK_FORMATS.filter((format) => !(counted && format === 'thumbnail')).map((format) => ({
    name: t(`links.${format}`),
    text: linkIn(links, format),
  }));

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
