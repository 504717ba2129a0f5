import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { imageListQuery } from '#renderer/images/list/list.ts';
import type { ImageFilters } from '#renderer/images/list/view.ts';
import { getPreferences } from '#renderer/preferences/preferences.ts';

/** The gallery's search parameters: the open image, whether it is being edited, and the filters. */
export interface GallerySearch extends ImageFilters {
  picture?: string | undefined;
  edit?: true | undefined;
  /** In an album with members: the user's own pictures alone. */
  show?: 'mine' | undefined;
}

const matching = (value: unknown, pattern: RegExp) => (typeof value === 'string' && pattern.test(value) ? value : undefined);

/** The router parses text that looks like a number into one. */
const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : value);
const bytes = (value: unknown) => (Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined);

/** Parses the search parameters and drops invalid ones, since users edit and truncate addresses. */
export function parseGallerySearch(search: Record<string, unknown>): GallerySearch {
  const q = textOf(search.q);
  const tag = textOf(search.tag);
  return {
    picture: matching(search.picture, /^[0-9A-Za-z]{12}$/),
    edit: search.edit === true ? true : undefined,
    show: search.show === 'mine' ? 'mine' : undefined,
    q: typeof q === 'string' && q.trim() ? q.slice(0, 300) : undefined,
    album_id: matching(search.album_id, /^[0-9A-Za-z]{10}$/),
    visibility: search.visibility === 'public' || search.visibility === 'private' ? search.visibility : undefined,
    type: matching(search.type, /^[a-z0-9]{1,5}$/),
    favourite: search.favourite === true ? true : undefined,
    tag: typeof tag === 'string' && tag ? tag.slice(0, 50) : undefined,
    from: matching(search.from, /^\d{4}-\d\d-\d\d$/),
    to: matching(search.to, /^\d{4}-\d\d-\d\d$/),
    taken: matching(textOf(search.taken), /^\d{4}(-(0[1-9]|1[0-2]))?$/),
    min_size: bytes(search.min_size),
    max_size: bytes(search.max_size),
  };
}

/** The list that the gallery shows at an address with these search parameters. */
export function galleryQuery(search: Record<string, unknown>) {
  const { picture: _picture, edit: _edit, show: _show, ...filters } = parseGallerySearch(search);
  return imageListQuery({ ...filters, sort: getPreferences().timeline });
}

/** The filters in the address, and functions that change them: Back takes back each change that doesn't replace the one before. */
export function useFilters() {
  const search: GallerySearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { q, album_id, visibility, type, favourite, tag, from, to, taken, min_size, max_size } = search;
  const filters = useMemo<ImageFilters>(
    () => ({ q, album_id, visibility, type, favourite, tag, from, to, taken, min_size, max_size }),
    [q, album_id, visibility, type, favourite, tag, from, to, taken, min_size, max_size],
  );
  const change = useCallback(
    (some: ImageFilters, { replace = false } = {}) =>
      void navigate({ to: '.', search: (before: GallerySearch) => ({ ...before, ...some }), replace, resetScroll: false }),
    [navigate],
  );
  const clear = useCallback(
    () => void navigate({ to: '.', search: ({ show }: GallerySearch) => ({ show }), resetScroll: false }),
    [navigate],
  );
  const active = Object.values(filters).filter((value) => value !== undefined).length;
  return { filters, active, change, clear };
}

export type Filters = ReturnType<typeof useFilters>;
