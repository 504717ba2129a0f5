import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { putMember } from '#api/albums/members.ts';
import type { listAlbumImages, SharedImage } from '#api/albums/pictures.ts';
import type { MEMBER_ROLES } from '#api/constants.ts';
import type { RouteData, RouteInput } from '#api/contract.ts';
import type { Image } from '#api/images/images.ts';
import { client } from '#renderer/service/client.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import { sharedAlbumsQuery } from './albums.ts';

export type MemberRole = (typeof MEMBER_ROLES)[number];

/** The members of an album, and the groups with which it is shared. Its key starts like that of the albums, so both are loaded again together. */
export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['albums', 'members', id],
    queryFn: ({ signal }) => client.call('GET /albums/:id/members', { params: { id }, signal }),
  });

/** Who has an account here, where an admin lets members see each other. */
export const teamQuery = queryOptions({ queryKey: ['team'], queryFn: ({ signal }) => client.call('GET /team', { signal }) });

/** A few screens of images. */
const PAGE_SIZE = 100;

type MemberView = Omit<RouteInput<typeof listAlbumImages>['query'], 'limit' | 'cursor'>;

/** A picture of an album with members; of one's own, with what only its owner sees. */
export type MemberImage = SharedImage & { own?: Image | undefined };
type MemberPage = Omit<RouteData<typeof listAlbumImages>, 'items'> & { items: MemberImage[] };

/** The pictures of an album with members that a search finds, in an order, loaded page by page while scrolling. */
export const memberImagesQuery = (id: string, view: MemberView) =>
  infiniteQueryOptions({
    queryKey: ['albums', 'images', id, view],
    queryFn: async ({ pageParam, signal, client: queries }): Promise<MemberPage> => {
      const query = { ...view, limit: PAGE_SIZE, cursor: pageParam };
      const page = await client.call('GET /albums/:id/images', { params: { id }, query, signal });
      const { user } = await queries.ensureQueryData(sessionQuery);
      const keys = page.items.filter(({ owner }) => owner.id === user?.id).map(({ key }) => key);
      if (keys.length === 0) return page;
      const { items } = await client.call('GET /images', { query: { album_id: id, keys: keys.join(','), limit: PAGE_SIZE }, signal });
      const own = new Map(items.map((image) => [image.key, image]));
      return { ...page, items: page.items.map((item) => withOwn(item, own.get(item.key))) };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    staleTime: 30_000,
  });

/** Only the search of the album knows what it has found. */
const withOwn = (item: SharedImage, own: Image | undefined): MemberImage =>
  own ? { ...item, own: { ...own, matched_text: item.matched_text, text_snippet: item.text_snippet } } : item;

/** A user, a group or everyone, with the role that they get. */
export type Grant = RouteInput<typeof putMember>['body'];

export function usePutMember(albumId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Grant) => client.call('PUT /albums/:id/members', { params: { id: albumId }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['albums'] }),
  });
}

/** Removes a member, or lets the user leave. */
export function useRemoveMember(albumId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (user: { id: number; isSelf: boolean }) =>
      client.call('DELETE /albums/:id/members/:user_id', { params: { id: albumId, user_id: user.id } }),
    onSuccess: (_nothing, { isSelf }) => {
      // Its page would ask for the album again before it closes.
      if (isSelf) queryClient.setQueryData(sharedAlbumsQuery.queryKey, (albums) => albums?.filter(({ id }) => id !== albumId));
      else void queryClient.invalidateQueries({ queryKey: ['albums'] });
      void queryClient.invalidateQueries({ queryKey: ['images'] });
    },
  });
}

/** Stops sharing an album with a group, or with everyone. */
export function useEndShare(albumId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ group_id }: { group_id?: number | undefined }) =>
      group_id === undefined
        ? client.call('DELETE /albums/:id/everyone', { params: { id: albumId } })
        : client.call('DELETE /albums/:id/groups/:group_id', { params: { id: albumId, group_id } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['albums'] });
      void queryClient.invalidateQueries({ queryKey: ['images'] });
    },
  });
}

/** Takes pictures out of an album with members. */
export function useRemoveFromAlbum(albumId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (keys: string[]) => client.call('POST /albums/:id/images/remove', { params: { id: albumId }, body: { keys } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['albums'] });
      void queryClient.invalidateQueries({ queryKey: ['images'] });
    },
  });
}

/** Moves a picture within an album with members. */
export function useOrderImages(albumId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    scope: { id: 'album order' },
    mutationFn: ({ key, before }: { key: string; before: string | null }) =>
      client.call('POST /albums/:id/images/order', { params: { id: albumId }, body: { keys: [key], before } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['albums'] }),
  });
}
