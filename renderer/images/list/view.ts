import type { Image } from '#api/images/images.ts';
import { dayOf } from '#renderer/i18n/format.ts';
import type { Timeline } from '#renderer/preferences/preference-values.ts';

/** Selects from the user's images. `from` and `to` are local days such as `2026-11-21`, both included. */
export interface ImageFilters {
  q?: string | undefined;
  album_id?: string | undefined;
  visibility?: 'public' | 'private' | undefined;
  /** Extension of the link. */
  type?: string | undefined;
  favourite?: true | undefined;
  tag?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** A year or month in UTC. */
  taken?: string | undefined;
  /** Bytes. */
  min_size?: number | undefined;
  max_size?: number | undefined;
}

/** The filters and order of a list of images. */
export interface ImageView extends ImageFilters {
  /** The trash is in an order of its own, which no other list has, and so is an album that has been sorted. */
  sort: Timeline | 'deleted_desc' | 'album_order';
}

export type Sort = ImageView['sort'];

/** The user's trash. */
export const TRASH = { sort: 'deleted_desc' } as const satisfies ImageView;

export const isTrash = ({ sort }: ImageView) => sort === TRASH.sort;

/** The time that a timeline sorts by, or shows if it sorts by name or size. */
export function timeOf(image: Pick<Image, 'taken_at' | 'created_at'> & Partial<Image>, sort: Sort): string {
  if (sort === TRASH.sort) return image.deleted_at ?? '';
  return sort.startsWith('taken') ? image.taken_at : image.created_at;
}

/** Whether day headings make sense in this order. */
export const hasDays = (sort: Sort) => sort !== 'name_asc' && sort !== 'size_desc' && sort !== 'album_order';

/** Whether `a` sorts before `b`, where their values decide: in an album that has been sorted, only the service knows. */
export function comesBefore(a: Image, b: Image, sort: Sort): boolean {
  if (sort === 'name_asc') return a.name.localeCompare(b.name) < 0;
  if (sort === 'size_desc') return a.size > b.size;
  return sort.endsWith('asc') ? timeOf(a, sort) < timeOf(b, sort) : timeOf(a, sort) > timeOf(b, sort);
}

/** Whether an image passes a view's filters. Ignores the search, which only the service can apply. */
export function passes(image: Image, view: ImageView): boolean {
  const { album_id, visibility, type, favourite, tag, from, to, taken, min_size = 0, max_size = Number.POSITIVE_INFINITY } = view;
  if (isTrash(view) !== Boolean(image.deleted_at)) return false;
  if (album_id && !image.albums.includes(album_id)) return false;
  if (visibility && image.visibility !== visibility) return false;
  if (type && image.ext !== type && image.kind !== type) return false;
  if (favourite && !image.favourite) return false;
  if (tag && !image.tags.includes(tag)) return false;
  if (taken && !image.taken_at.startsWith(taken)) return false;
  if (image.size < min_size || image.size > max_size) return false;
  if (!from && !to) return true;
  const day = dayOf(timeOf(image, view.sort));
  return (!from || day >= from) && (!to || day <= to);
}

/** The instant at which a local day begins, or the day `plus` days later. */
export function startOf(day: string, plus = 0): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + plus);
  return date.toISOString();
}

/** The filters as query parameters. Local days become instants, since the service's days are in UTC. */
export function toQuery({ from, to, q, ...rest }: ImageView) {
  return { ...rest, q: q || undefined, from: from && startOf(from), to: to && startOf(to, 1) };
}
