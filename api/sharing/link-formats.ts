import { fillTemplate, type Templated } from './link-template.ts';
import type { Linked } from './linked.ts';
import { responsiveHtml } from './responsive-html.ts';

/** The formats that every client can copy or print. */
export const LINK_FORMATS = ['url', 'markdown', 'markdown_linked', 'html', 'html_responsive', 'bbcode'] as const;
export const WEB_LINK_FORMATS = [...LINK_FORMATS, 'thumbnail', 'share_page'] as const;
export type WebLinkFormat = (typeof WEB_LINK_FORMATS)[number];
/** The formats of accounts; `custom` is the user's template. */
export const ACCOUNT_LINK_FORMATS = [...WEB_LINK_FORMATS, 'custom'] as const;
export type AccountLinkFormat = (typeof ACCOUNT_LINK_FORMATS)[number];
/** The formats of the desktop app, with a template as well. */
export const DESKTOP_LINK_FORMATS = [...LINK_FORMATS, 'custom'] as const;
export type DesktopLinkFormat = (typeof DESKTOP_LINK_FORMATS)[number];

/** The texts between several links, by the name of the choice. */
export const SEPARATORS = { newline: '\n', space: ' ', comma: ', ' } as const;
export type Separator = keyof typeof SEPARATORS;

/** How links are written. */
export interface LinkStyle {
  format: AccountLinkFormat;
  /** Used by the format `custom`. */
  template: string;
  separator: Separator;
}

/**
 * The text to copy or print for an image. The address of a view-limited image is its share page, since previews and embeds of the direct
 * link would spend its views; its Markdown, HTML and BBCode lead to the share page as well, written by the service.
 */
export function linkOf(image: Linked, format: WebLinkFormat): string {
  const { links, max_views = 0 } = image;
  if (format === 'html_responsive') return responsiveHtml(image);
  if (format === 'markdown_linked') return linkedThumbnail(links);
  if (format === 'markdown' || format === 'html' || format === 'bbcode') return links[format];
  if (format === 'share_page' || max_views > 0) return links.share_url;
  return format === 'url' ? links.url : links.thumbnail_url;
}

/** Markdown that shows the thumbnail and leads to the original. A view-limited image's leads to its share page, without a picture. */
function linkedThumbnail({ markdown, url, thumbnail_url }: Linked['links']): string {
  const shown = `](${url})`;
  return markdown.startsWith('!') && markdown.endsWith(shown)
    ? `[${markdown.slice(0, -shown.length)}](${thumbnail_url})](${url})`
    : markdown;
}

/** The links of several images, one per line. */
export function linksOf(images: readonly Linked[], format: WebLinkFormat): string {
  return images.map((image) => linkOf(image, format)).join(SEPARATORS.newline);
}

/** The text to copy for images, in order. */
export function styledLinks(images: readonly Templated[], { format, template, separator }: LinkStyle): string {
  const texts = images.map((image) => (format === 'custom' ? fillTemplate(template, image) : linkOf(image, format)));
  return texts.join(SEPARATORS[separator]);
}
