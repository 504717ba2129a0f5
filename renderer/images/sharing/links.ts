import type { TFunction } from 'i18next';
import type { ImageLinks } from '#api/images/images.ts';
import { linkOf, WEB_LINK_FORMATS } from '#api/sharing/link-formats.ts';

/**
 * Every link of an image but its share page, the direct one included even if it spends views, named in the language of the page. View-limited images have no
 * thumbnail.
 */
export const linksByFormat = (links: ImageLinks, t: TFunction, limited = false) =>
  WEB_LINK_FORMATS.filter((format) => format !== 'share_page' && !(limited && format === 'thumbnail')).map((format) => ({
    name: t(`links.${format}`),
    text: linkOf({ links, max_views: 0 }, format),
  }));
