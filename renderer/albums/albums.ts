import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Album, changeAlbum, createAlbum } from '#api/albums/albums.ts';
import { allAlbums, fullName, mayAdd, sharedAlbums } from '#api/albums/find-album.ts';
import type { RouteInput } from '#api/contract.ts';
import { client } from '#renderer/service/client.ts';
import { limitsQuery } from '#renderer/service/queries.ts';

/** All of the user's albums, in order. Unpaged, since menus and reordering need every one. */
export const albumsQuery = queryOptions({
  queryKey: ['albums'],
  queryFn: ({ signal }) => allAlbums(client, { signal }),
  staleTime: 30_000,
});

/** All albums that others share with the user. */
export const sharedAlbumsQuery = queryOptions({
  queryKey: ['albums', 'shared'],
  queryFn: ({ signal }) => sharedAlbums(client, { signal }),
  staleTime: 30_000,
});

/**
 * The albums to choose from for pictures: the user's own, then those of others into which they may put some or that have `chosen` already, which
 * are named `owner/name`. None until they are loaded.
 */
export function useAddableAlbums(chosen: readonly string[] = []): Album[] {
  const { data: own = [] } = useQuery(albumsQuery);
  const { data: shared = [] } = useQuery(sharedAlbumsQuery);
  const others = shared.filter((album) => mayAdd(album) || chosen.includes(album.id));
  return [...own, ...others.map((album) => ({ ...album, name: fullName(album) }))];
}

/** An album of the user's, or one that is shared with them. */
export function useAlbum(id: string) {
  const [own, shared] = [useQuery(albumsQuery), useQuery(sharedAlbumsQuery)];
  const isThis = (album: Album) => album.id === id;
  const album = own.data?.find(isThis) ?? shared.data?.find(isThis);
  const { error = null } = [own, shared].find(({ isError, data }) => isError && !data) ?? {};
  return {
    album,
    isGone: own.isSuccess && shared.isSuccess && !album,
    error: album ? null : error,
    refetch: () => Promise.all([own.refetch(), shared.refetch()]),
  };
}

/** The counts of what an album's visitors don't see. Its key starts like that of the albums, so both are loaded again together. */
export const hiddenQuery = (id: string) =>
  queryOptions({
    queryKey: ['albums', 'hidden', id],
    queryFn: ({ signal }) => client.call('GET /albums/:id/hidden', { params: { id }, signal }),
  });

/** The name of one of the user's albums, or of one that is shared with them, once loaded. */
export function useAlbumName(id: string | undefined): string | undefined {
  const { data: own } = useQuery({ ...albumsQuery, enabled: id !== undefined });
  const { data: shared } = useQuery({ ...sharedAlbumsQuery, enabled: own !== undefined && !own.some((album) => album.id === id) });
  return [...(own ?? []), ...(shared ?? [])].find((album) => album.id === id)?.name;
}

function replace(queryClient: QueryClient, album: Album) {
  for (const { queryKey } of [albumsQuery, sharedAlbumsQuery])
    queryClient.setQueryData<Album[]>(queryKey, (albums) => albums?.map((each) => (each.id === album.id ? album : each)));
}

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

/** Deletes an album, and moves its images to the trash unless they are kept. */
export function useDeleteAlbum() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, images }: { id: string; images: 'keep' | 'trash' }) =>
      client.call('DELETE /albums/:id', { params: { id }, query: { images } }),
    onSuccess: (_nothing, { id }) => {
      queryClient.setQueryData(albumsQuery.queryKey, (albums) => albums?.filter((album) => album.id !== id));
      // Every image of the album has changed, loaded or not. The album's own page would ask for it again before it closes.
      queryClient.removeQueries({ queryKey: ['images'], type: 'inactive' });
      void queryClient.invalidateQueries({ queryKey: ['images'], refetchType: 'none' });
      void queryClient.invalidateQueries({ queryKey: ['trash'] });
      void queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
    },
  });
}

/** Reorders albums optimistically. */
export function useOrderAlbums() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (albums: readonly Album[]) => client.call('POST /albums/order', { body: { ids: albums.map(({ id }) => id) } }),
    onMutate: (albums) => queryClient.setQueryData(albumsQuery.queryKey, [...albums]),
    onError: () => queryClient.invalidateQueries({ queryKey: albumsQuery.queryKey }),
  });
}

/** A copy of a list with one item moved. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...items.slice(from, from + 1));
}
