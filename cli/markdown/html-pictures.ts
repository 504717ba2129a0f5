import { parse, parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { PictureLink } from './picture-link.ts';

type Element = Tree.Element;

/**
 * The pictures in HTML: `src` and `srcset` of images, and `srcset` of their sources.
 * @param onMarkdown called for the text in elements that contain Markdown (Python-Markdown's attribute `markdown`), with its offset
 */
export function htmlPictures(html: string, onMarkdown?: (text: string, offset: number) => PictureLink[]): PictureLink[] {
  return picturesBelow(parseFragment(html, { sourceCodeLocationInfo: true, scriptingEnabled: false }), html, onMarkdown);
}

/** The pictures of a whole HTML document. */
export function documentPictures(html: string): PictureLink[] {
  return picturesBelow(parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: false }), html);
}

function picturesBelow(root: Tree.ParentNode, html: string, onMarkdown?: Parameters<typeof htmlPictures>[1]): PictureLink[] {
  const links: PictureLink[] = [];
  const waiting: { node: Tree.Node; isMarkdown: boolean }[] = [{ node: root, isMarkdown: false }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node } = next;
    let { isMarkdown } = next;
    if ('attrs' in node) {
      links.push(...picturesOf(node, html));
      isMarkdown ||= node.attrs.some(({ name, value }) => name === 'markdown' && value !== '0');
    }
    if (isMarkdown && onMarkdown && node.nodeName === '#text' && node.sourceCodeLocation) {
      const { startOffset, endOffset } = node.sourceCodeLocation;
      links.push(...onMarkdown(html.slice(startOffset, endOffset), startOffset));
    }
    if ('content' in node) waiting.push({ node: node.content, isMarkdown });
    if ('childNodes' in node) for (const child of node.childNodes) waiting.push({ node: child, isMarkdown });
  }
  return links.sort((one, other) => one.start - other.start);
}

function picturesOf(element: Element, html: string): PictureLink[] {
  const { tagName } = element;
  if (tagName === 'img') return [...addressOf(element, 'src', html), ...candidatesOf(element, html)];
  return tagName === 'source' ? candidatesOf(element, html) : [];
}

/** The value of an attribute. */
function addressOf(element: Element, name: string, html: string): PictureLink[] {
  const range = rangeOf(element, name, html);
  const target = element.attrs.find((attribute) => attribute.name === name)?.value.trim();
  return range && target ? [{ ...range, target, replacement: (url) => url }] : [];
}

/** The addresses of a `srcset`, which are separated by commas and may be followed by a width or density. */
function candidatesOf(element: Element, html: string): PictureLink[] {
  const range = rangeOf(element, 'srcset', html);
  if (!range) return [];
  const text = html.slice(range.start, range.end);
  // References such as `&amp;` would shift the positions; they are left alone.
  if (text.includes('&')) return [];
  return [...text.matchAll(/([^\s,]\S*[^\s,])(?:\s+[\d.]+[wx])?\s*(?:,|$)/g)].map(({ 1: target = '', index }) => ({
    start: range.start + index,
    end: range.start + index + target.length,
    target,
    replacement: (url) => url,
  }));
}

/** Where an attribute's value is, without quotes. */
function rangeOf({ sourceCodeLocation }: Element, name: string, html: string): Pick<PictureLink, 'start' | 'end'> | undefined {
  const place = sourceCodeLocation?.attrs?.[name];
  if (!place) return undefined;
  const source = html.slice(place.startOffset, place.endOffset);
  const [before, quote = ''] = /^[^=]*=\s*(["']?)/.exec(source) ?? [];
  if (before === undefined) return undefined;
  return { start: place.startOffset + before.length, end: place.endOffset - quote.length };
}
