import type { FormFields } from './upload.ts';

/** The field for the albums of an upload. A single one is sent so that older servers understand it, too. */
export function albumFields(ids: readonly string[]): FormFields {
  const [first, ...others] = new Set(ids);
  if (first === undefined) return {};
  return others.length > 0 ? { albums: [first, ...others].join() } : { album_id: first };
}

/** The albums of an upload with these fields. */
export const albumsOf = ({ albums, album_id }: FormFields): string[] => albums?.split(',') ?? (album_id ? [album_id] : []);
