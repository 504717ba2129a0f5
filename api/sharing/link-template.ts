import type { Image } from '#api/images/images.ts';

/** The placeholders of a template, each written in braces: `{url}`. */
export const PLACEHOLDERS = ['url', 'name', 'key', 'width', 'height', 'thumbnail_url', 'share_url'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];
export const DEFAULT_TEMPLATE = '{name}: {url}';
export const MAX_TEMPLATE_LENGTH = 2_000;

/** What {@link fillTemplate} needs of an image; what the client doesn't know is left empty. */
export type Templated = Pick<Image, 'key' | 'links'> & Partial<Pick<Image, 'name' | 'width' | 'height' | 'max_views'>>;

/** `{{` stands for a brace; `{word}` is a placeholder; all other text stands for itself. */
const PARTS = /\{\{|\{(\w*)\}/g;

/**
 * The text of a template for an image. The addresses of a view-limited image lead to its share page: previews of the direct link would spend its
 * views, and its thumbnail is withheld. Unknown placeholders stay as they were typed.
 */
export function fillTemplate(template: string, image: Templated): string {
  const { key, name = '', width = '', height = '', links, max_views = 0 } = image;
  const values: Record<Placeholder, string> = {
    url: max_views > 0 ? links.share_url : links.url,
    // A line break would split the text for the programs that read it.
    name: name.replace(/[\r\n]+/g, ' '),
    key,
    width: String(width),
    height: String(height),
    thumbnail_url: max_views > 0 ? links.share_url : links.thumbnail_url,
    share_url: links.share_url,
  };
  return template.replace(PARTS, (part, word: string | undefined) => {
    if (word === undefined) return '{';
    return isPlaceholder(word) ? values[word] : part;
  });
}

/** The placeholders in a template that don't exist, with their braces, each once. */
export function unknownPlaceholders(template: string): string[] {
  const found = [...template.matchAll(PARTS)].filter(([, word]) => word !== undefined && !isPlaceholder(word));
  return [...new Set(found.map(([part]) => part))];
}

function isPlaceholder(word: string): word is Placeholder {
  return PLACEHOLDERS.some((placeholder) => placeholder === word);
}
