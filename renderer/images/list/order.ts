import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '#renderer/service/client.ts';
import { updateLists, withMoved } from './list.ts';

interface Move {
  albumId: string;
  key: string;
  /** The image that will follow; null: none. */
  before: string | null;
}

/** Moves an image within an album optimistically; one after the other, in the order of the moves. */
export function useMoveInAlbum() {
  const queryClient = useQueryClient();
  return useMutation({
    scope: { id: 'album order' },
    mutationFn: ({ albumId, key, before }: Move) =>
      client.call('POST /albums/:id/images/order', { params: { id: albumId }, body: { keys: [key], before } }),
    onMutate: ({ albumId, key, before }) =>
      updateLists(queryClient, (list, view) =>
        view.sort === 'album_order' && view.album_id === albumId ? withMoved(list, key, before, view) : list,
      ),
    onError: () => queryClient.invalidateQueries({ queryKey: ['images', 'list'] }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['albums'] }),
  });
}
