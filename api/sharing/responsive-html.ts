import type { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { scaledTo } from '#api/images/scaled.ts';
import type { Linked } from './linked.ts';

/** Pixels of the longer side, and the longest side in a page of text. */
const SIDES = [400, 800, 1600] as const satisfies readonly (typeof THUMBNAIL_WIDTHS)[number][];
const SHOWN = 800;
/** Their thumbnails don't move, or are less sharp than they are. */
const ONLY_WHOLE = /\.(gif|svg)$/;

/**
 * HTML with thumbnails of several sizes and formats, of which browsers choose; the HTML that the service writes for what has no thumbnails, or
 * whose size isn't known.
 */
export function responsiveHtml({ links, width, height, max_views = 0 }: Linked): string {
  const { url, html, thumbnail_url } = links;
  if (!width || !height || max_views > 0 || ONLY_WHOLE.test(url)) return html;
  const size = { width, height };
  // The first that is as large as the picture, which is never enlarged, is the last.
  const sides = SIDES.filter((_side, index) => index === 0 || (SIDES[index - 1] ?? 0) < Math.max(width, height));
  const base = thumbnail_url.replace(/\.jpg$/, '');
  const sourcesIn = (ext: string) => sides.map((side) => `${base}.${ext}?w=${side} ${scaledTo(size, side).width}w`).join(', ');
  const shown = scaledTo(size, SHOWN);
  const sizes = `(max-width: ${shown.width}px) 100vw, ${shown.width}px`;
  const source = (ext: string) => `<source type="image/${ext}" srcset="${sourcesIn(ext)}" sizes="${sizes}">`;
  const alt = /alt="[^"]*"/.exec(html)?.[0] ?? 'alt=""';
  const img = `<img src="${thumbnail_url}?w=${SHOWN}" srcset="${sourcesIn('jpg')}" sizes="${sizes}" width="${shown.width}" height="${shown.height}" loading="lazy" ${alt}>`;
  return `<picture>${source('avif')}${source('webp')}${img}</picture>`;
}
