import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Album, changeAlbum, createAlbum } from '#api/albums.ts';
import type { RouteInput } from '#api/contract.ts';
import { allAlbums } from '#api/find-album.ts';
import { client } from '#renderer/service/client.ts';
import { limitsQuery } from '#renderer/service/queries.ts';

/** All of a person's albums in their order. Whole, since menus and the order by dragging need every one. */
export const albumsQuery = queryOptions({
  queryKey: ['albums'],
  queryFn: ({ signal }) => allAlbums(client, { signal }),
  staleTime: 30_000,
});

/** The name of an album of one's own, once it is known. */
export function useAlbumName(id: string | undefined): string | undefined {
  const { data: albums } = useQuery({ ...albumsQuery, enabled: id !== undefined });
  return albums?.find((album) => album.id === id)?.name;
}

const replace = (queryClient: QueryClient, album: Album) =>
  queryClient.setQueryData(albumsQuery.queryKey, (albums) => albums?.map((each) => (each.id === album.id ? album : each)));

export function useCreateAlbum() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: RouteInput<typeof createAlbum>['body']) => client.call('POST /albums', { body }),
    onSuccess: (album) => queryClient.setQueryData(albumsQuery.queryKey, (albums) => albums && [album, ...albums]),
  });
}

export function useChangeAlbum() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: RouteInput<typeof changeAlbum>['body'] & { id: string }) =>
      client.call('PATCH /albums/:id', { params: { id }, body }),
    onSuccess: (album) => replace(queryClient, album),
  });
}

/** Deletes an album; its pictures stay, or go to the trash with it. */
export function useDeleteAlbum() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, images }: { id: string; images: 'keep' | 'trash' }) =>
      client.call('DELETE /albums/:id', { params: { id }, query: { images } }),
    onSuccess: (_nothing, { id }) => {
      queryClient.setQueryData(albumsQuery.queryKey, (albums) => albums?.filter((album) => album.id !== id));
      // Every picture of the album has changed, on pages that are loaded and on those that are not.
      queryClient.removeQueries({ queryKey: ['images'] });
      void queryClient.invalidateQueries({ queryKey: ['trash'] });
      void queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
    },
  });
}

/** Puts albums into a new order, on the page at once. */
export function useOrderAlbums() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (albums: readonly Album[]) => client.call('POST /albums/order', { body: { ids: albums.map(({ id }) => id) } }),
    onMutate: (albums) => queryClient.setQueryData(albumsQuery.queryKey, [...albums]),
    onError: () => queryClient.invalidateQueries({ queryKey: albumsQuery.queryKey }),
  });
}

/** The list with one of its items moved to another place. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...items.slice(from, from + 1));
}
