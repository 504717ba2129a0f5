import type { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { extOf, FORMATS, formatsWith } from '#api/formats.ts';
import { scaledTo } from '#api/images/scaled.ts';
import { fillTemplate, type Templated } from './link-template.ts';
import type { Linked } from './linked.ts';
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

/** Pixels of the longer side, and the longest side in a page of text. */
const SIDES = [400, 800, 1600] as const satisfies readonly (typeof THUMBNAIL_WIDTHS)[number][];
const SHOWN = 800;
/** Their thumbnails don't move, or are less sharp than they are. */
const ONLY_WHOLE = new Set<string>(formatsWith('whole').map(extOf));
/** What browsers choose from, the smallest files first. */
const SOURCES = formatsWith('thumbnail')
  .filter((name) => name !== 'jpeg')
  .toReversed();

/**
 * HTML with thumbnails of several sizes and formats, of which browsers choose; the HTML that the service writes for what has no thumbnails, or
 * whose size isn't known.
 */
function responsiveHtml({ links, width, height, max_views = 0 }: Linked): string {
  const { url, html, thumbnail_url } = links;
  if (!width || !height || max_views > 0 || ONLY_WHOLE.has(url.slice(url.lastIndexOf('.') + 1))) return html;
  const size = { width, height };
  // The first that is as large as the picture, which is never enlarged, is the last.
  const sides = SIDES.filter((_side, index) => index === 0 || (SIDES[index - 1] ?? 0) < Math.max(width, height));
  const base = thumbnail_url.replace(/\.jpg$/, '');
  const sourcesIn = (ext: string) => sides.map((side) => `${base}.${ext}?w=${side} ${scaledTo(size, side).width}w`).join(', ');
  const shown = scaledTo(size, SHOWN);
  const sizes = `(max-width: ${shown.width}px) 100vw, ${shown.width}px`;
  const sources = SOURCES.map((name) => `<source type="${FORMATS[name].types[0]}" srcset="${sourcesIn(extOf(name))}" sizes="${sizes}">`);
  const alt = /alt="[^"]*"/.exec(html)?.[0] ?? 'alt=""';
  const img = `<img src="${thumbnail_url}?w=${SHOWN}" srcset="${sourcesIn('jpg')}" sizes="${sizes}" width="${shown.width}" height="${shown.height}" loading="lazy" ${alt}>`;
  return `<picture>${sources.join('')}${img}</picture>`;
}
