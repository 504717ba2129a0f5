import { decodeString } from 'micromark-util-decode-string';
import { parse, parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { type Around, linksToShown, type PictureLink } from './picture-link.ts';

type Element = Tree.Element;

/** What a piece of HTML has. */
export interface HtmlPictures {
  links: PictureLink[];
  /** What its images show. */
  shown: string[];
  /** The link that begins in it and doesn't end. */
  open: Around | undefined;
}

/**
 * The pictures in HTML: `src` and `srcset` of images, `srcset` of their sources, and links around pictures that lead to the same one.
 * @param onMarkdown called for the text in elements that contain Markdown (Python-Markdown's attribute `markdown`), with its offset
 */
export function htmlPictures(html: string, onMarkdown?: (text: string, offset: number) => PictureLink[]): HtmlPictures {
  return picturesBelow(parseFragment(html, { sourceCodeLocationInfo: true, scriptingEnabled: false }), html, onMarkdown);
}

/** The pictures of a whole HTML document. */
export function documentPictures(html: string): PictureLink[] {
  return picturesBelow(parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: false }), html).links;
}

/** A node to visit: whether it is Markdown, and the link around it. */
interface Visit {
  node: Tree.Node;
  isMarkdown: boolean;
  around: Around | undefined;
}

function picturesBelow(root: Tree.ParentNode, html: string, onMarkdown?: Parameters<typeof htmlPictures>[1]): HtmlPictures {
  const links: PictureLink[] = [];
  const shown: string[] = [];
  const all: Around[] = [];
  let open: Around | undefined;
  const waiting: Visit[] = [{ node: root, isMarkdown: false, around: undefined }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node } = next;
    let { isMarkdown, around } = next;
    if ('attrs' in node) {
      for (const link of picturesOf(node, html)) {
        links.push(link);
        shown.push(link.target);
        around?.shown.push(link.target);
      }
      if (node.tagName === 'a') {
        const [link] = addressOf(node, 'href', html);
        around = link && { link, shown: [] };
        if (around) all.push(around);
        // Nodes are visited from the last to the first.
        if (around && !node.sourceCodeLocation?.endTag) open ??= around;
      }
      isMarkdown ||= node.attrs.some(({ name, value }) => name === 'markdown' && value !== '0');
    }
    if (isMarkdown && onMarkdown && node.nodeName === '#text' && node.sourceCodeLocation) {
      const { startOffset, endOffset } = node.sourceCodeLocation;
      for (const link of onMarkdown(html.slice(startOffset, endOffset), startOffset)) links.push(link);
    }
    if ('content' in node) waiting.push({ node: node.content, isMarkdown, around });
    if ('childNodes' in node) for (const child of node.childNodes) waiting.push({ node: child, isMarkdown, around });
  }
  for (const link of linksToShown(all)) links.push(link);
  return { links: links.sort((one, other) => one.start - other.start), shown, open };
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
  return range && target ? [attributeLink(range, range.start, range.end, target)] : [];
}

/**
 * The addresses of a `srcset`, as browsers split it (https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute): one ends at
 * a space, or before the commas at its end; without these, a description follows up to the next comma.
 */
function candidatesOf(element: Element, html: string): PictureLink[] {
  const range = rangeOf(element, 'srcset', html);
  if (!range) return [];
  const text = html.slice(range.start, range.end);
  const links: PictureLink[] = [];
  const separator = /[\s,]*/y;
  const address = /\S+/y;
  const description = /[^,(]*(?:\([^)]*\)?[^,(]*)*/y;
  for (let at = lengthOf(separator, text, 0); at < text.length; at += lengthOf(separator, text, at)) {
    const end = at + lengthOf(address, text, at);
    let bareEnd = end;
    while (text[bareEnd - 1] === ',') bareEnd--;
    links.push(attributeLink(range, range.start + at, range.start + bareEnd, decoded(text.slice(at, bareEnd))));
    at = end + (bareEnd === end ? lengthOf(description, text, end) : 0);
  }
  return links;
}

/** The length of what a sticky expression matches at an offset. */
function lengthOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.exec(text)?.[0].length ?? 0;
}

/** Resolves references such as `&amp;`. */
const decoded = (text: string) => text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z\d]{1,31});/gi, decodeString);

interface Range extends Pick<PictureLink, 'start' | 'end'> {
  isQuoted: boolean;
}

/** A part of an attribute's value. A new address may have characters that need quotes. */
function attributeLink({ start, end, isQuoted }: Range, from: number, to: number, target: string): PictureLink {
  // Without quotes, there is only one.
  const quoted = { start, end, before: '"', after: '"' };
  return { target, isAttribute: true, ...(isQuoted ? { start: from, end: to, before: '', after: '' } : quoted) };
}

/** Where an attribute's value is, without quotes. */
function rangeOf({ sourceCodeLocation }: Element, name: string, html: string): Range | undefined {
  const place = sourceCodeLocation?.attrs?.[name];
  if (!place) return undefined;
  const source = html.slice(place.startOffset, place.endOffset);
  const [before, quote = ''] = /^[^=]*=\s*(["']?)/.exec(source) ?? [];
  if (before === undefined) return undefined;
  return { start: place.startOffset + before.length, end: place.endOffset - quote.length, isQuoted: quote !== '' };
}
