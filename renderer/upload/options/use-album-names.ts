import { useQuery } from '@tanstack/react-query';
import { albumsQuery } from '#renderer/albums/albums.ts';
import { useFormat } from '#renderer/i18n/format.ts';

/** The names of albums in a sentence, as far as they are known; undefined without any. */
export function useAlbumNames(ids: readonly string[]): string | undefined {
  const format = useFormat();
  const { data: albums = [] } = useQuery({ ...albumsQuery, enabled: ids.length > 0 });
  const names = ids.flatMap((id) => albums.find((album) => album.id === id)?.name ?? []);
  return names.length > 0 ? format.list(names) : undefined;
}
