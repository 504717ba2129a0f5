import { posix } from 'node:path';

/** A place in a document that shows a picture, or a link around one that leads to the same picture. It is plain data, since it crosses threads. */
export interface PictureLink {
  /** What is replaced: offsets in the document's text. */
  start: number;
  end: number;
  /** The path or address, without the escapes of Markdown and HTML; percent-encoding is still there. */
  target: string;
  /** Whether the target is a name that is searched for in the whole folder of notes (Obsidian). */
  isName?: boolean;
  /** Written around the address. */
  before: string;
  after: string;
  /** Whether it is in an attribute of HTML. */
  isAttribute: boolean;
}

/** What to write in place of a link. */
export function written({ before, after, isAttribute }: Pick<PictureLink, 'before' | 'after' | 'isAttribute'>, url: string): string {
  return before + (isAttribute ? url.replaceAll('&', '&amp;') : url) + after;
}

export const shifted = (links: PictureLink[], by: number): PictureLink[] =>
  links.map((link) => ({ ...link, start: link.start + by, end: link.end + by }));

/** A link around pictures, and what they show. */
export interface Around {
  link: PictureLink;
  shown: string[];
}

/** The links that lead to what they show, each once. */
export function linksToShown(all: readonly Around[]): PictureLink[] {
  const found = all.filter(({ link, shown }) => shown.some((target) => isSame(target, link.target)));
  return [...new Map(found.map(({ link }) => [link.start, link])).values()];
}

function isSame(one: string, other: string) {
  return comparable(one) === comparable(other);
}

/** Paths can be written in several ways; addresses are compared as they are. */
function comparable(target: string): string {
  if (/^([a-z][a-z\d+.-]+:|\/\/)/i.test(target)) return target;
  const path = target.replace(/[?#].*$/s, '').replaceAll('\\', '/');
  try {
    return posix.normalize(decodeURIComponent(path)).normalize('NFC');
  } catch {
    return path;
  }
}
