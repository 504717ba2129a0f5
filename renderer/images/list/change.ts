import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RouteInput } from '#api/contract.ts';
import type { updateImage } from '#api/images/changes.ts';
import type { Image } from '#api/images/images.ts';
import { client } from '#renderer/service/client.ts';
import { showImages } from './list.ts';

export type ImageChange = Omit<RouteInput<typeof updateImage>['body'], 'album_id'>;

/** The image as far as a change can be predicted before the service responds. */
function expected(image: Image, { name, title, caption, alt, visibility, albums, tags, favourite, taken_at }: ImageChange): Image {
  const known = { name, title, caption, alt, visibility, tags, favourite, taken_at };
  const changed = { ...image, ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) };
  return albums ? inAlbums(changed, albums) : changed;
}

/** An image that is in these albums, the first of which is the first one. */
export const inAlbums = (image: Image, albums: string[]): Image => ({ ...image, albums, album_id: albums[0] ?? null });

interface Changing {
  image: Image;
  change: ImageChange;
}

const CHANGE_KEY = ['change image'];

/** Changes an image optimistically, one change after the other: the page shows each immediately and reverts it on failure. */
export function useChangeImage() {
  const queryClient = useQueryClient();
  /** Shows the image with the changes that are still on their way: the next one starts from what is shown. */
  const show = (image: Image, done: Changing) => {
    const pending = queryClient.getMutationCache().findAll({ mutationKey: CHANGE_KEY, status: 'pending' });
    const later = pending
      .map(({ state }) => state.variables as Changing)
      .filter((other) => other !== done && other.image.key === image.key);
    showImages(queryClient, [later.reduce((shown, { change }) => expected(shown, change), image)]);
  };
  return useMutation({
    mutationKey: CHANGE_KEY,
    scope: { id: 'change image' },
    mutationFn: ({ image, change }: Changing) => client.call('PATCH /images/:key', { params: { key: image.key }, body: change }),
    onMutate: ({ image, change }) => showImages(queryClient, [expected(image, change)]),
    onError: (_error, changing) => show(changing.image, changing),
    onSuccess: (image, changing) => {
      const { change } = changing;
      show(image, changing);
      if (change.albums) void queryClient.invalidateQueries({ queryKey: ['albums'] });
      else void queryClient.invalidateQueries({ queryKey: ['albums', 'hidden'] });
      if (change.tags) void queryClient.invalidateQueries({ queryKey: ['tags'] });
    },
  });
}
