import { SERVED_EXTS } from '#api/formats.ts';
import { parseSearch } from '#api/images/search-terms.ts';
import type { ImageFilters } from '#renderer/images/list/view.ts';

/** What the library has to offer as filters. */
export interface Offers {
  albums: readonly { id: string; name: string }[];
  tags: readonly string[];
  /** Such as `2026-11`, latest first. */
  months: readonly string[];
}

/** A filter in place of what has been typed. */
export interface Suggestion {
  kind: 'album' | 'tag' | 'taken' | 'type' | 'size';
  label: string;
  filters: ImageFilters;
}

/** Formats what isn't a name, in the user's language. */
export interface Labels {
  /** A year or month. */
  taken(period: string): string;
  size(range: { min_size?: number; max_size?: number }): string;
  /** Of a file, or all videos. */
  type(type: string): string;
}

/** What a filter can be for: a file type, or all videos. */
export const FILE_TYPES = ['video', ...SERVED_EXTS];

const MAX_OF_A_KIND = 4;

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** Suggests filters for a text, or for its last words; `rest` are the words before those. */
export function suggest(text: string, offers: Offers, labels: Labels): { rest: string; suggestions: Suggestion[] } {
  const words = text.trim().split(/\s+/u).filter(Boolean);
  for (let from = 0; from < words.length; from += 1) {
    const suggestions = suggestAll(words.slice(from).join(' '), offers, labels);
    if (suggestions.length > 0) return { rest: words.slice(0, from).join(' '), suggestions };
  }
  return { rest: text, suggestions: [] };
}

function suggestAll(typed: string, { albums, tags, months }: Offers, labels: Labels): Suggestion[] {
  const { parts, ...size } = parseSearch(typed);
  if (parts.length === 0) return [{ kind: 'size', label: labels.size(size), filters: size }];
  const [{ tag: named } = {}] = parts;
  const tagged = matching(tags, named ?? typed, (tag) => tag).map((tag) => ({ kind: 'tag' as const, label: tag, filters: { tag } }));
  if (named) return parts.length === 1 ? tagged : [];
  return [
    ...matching(albums, typed, ({ name }) => name).map(({ id, name }) => ({
      kind: 'album' as const,
      label: name,
      filters: { album_id: id },
    })),
    ...tagged,
    ...periods(typed, parts.length === 1 ? parts[0]?.date : undefined, months, labels),
    ...FILE_TYPES.filter((type) => type === parts[0]?.type || (typed.length > 1 && type.startsWith(fold(typed)))).map((type) => ({
      kind: 'type' as const,
      label: labels.type(type),
      filters: { type },
    })),
  ];
}

/** Those that contain a text, the ones that begin with it first. */
function matching<T>(all: readonly T[], typed: string, nameOf: (one: T) => string): T[] {
  const sought = fold(typed);
  const found = all.map((one) => ({ one, at: fold(nameOf(one)).indexOf(sought) })).filter(({ at }) => at >= 0);
  return found
    .sort((a, b) => Math.min(a.at, 1) - Math.min(b.at, 1))
    .slice(0, MAX_OF_A_KIND)
    .map(({ one }) => one);
}

/** The years and months of the library that a text names, or begins to. */
function periods(typed: string, date: string | undefined, months: readonly string[], { taken }: Labels): Suggestion[] {
  const years = [...new Set(months.map((month) => month.slice(0, 4)))];
  const begun = /^\d{3,4}$/.test(typed) ? typed : date;
  const found = begun
    ? [...years, ...months].filter((period) => period.startsWith(begun.slice(0, 7)))
    : typed.length > 1
      ? matching(months, typed, taken)
      : [];
  return found.slice(0, MAX_OF_A_KIND).map((period) => ({ kind: 'taken', label: taken(period), filters: { taken: period } }));
}
