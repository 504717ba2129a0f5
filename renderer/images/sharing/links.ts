import { linkOf, WEB_LINK_FORMATS } from '#api/sharing/link-formats.ts';
import type { Linked } from '#api/sharing/linked.ts';
import type { TFunction } from '#renderer/i18n/t.ts';

/**
 * Every link of an image but its share page, the direct one included even if it spends views, named in the language of the page. View-limited images have no
 * thumbnail.
 */
export const linksByFormat = (image: Omit<Linked, 'max_views'>, t: TFunction, limited = false) =>
  WEB_LINK_FORMATS.filter((format) => format !== 'share_page' && !(limited && format === 'thumbnail')).map((format) => ({
    name: t(`links.${format}`),
    text: linkOf({ ...image, max_views: 0 }, format),
  }));
