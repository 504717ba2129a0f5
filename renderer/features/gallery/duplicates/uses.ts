import type { Album } from '#api/albums/albums.ts';
import type { Image } from '#api/images/images.ts';

type Albums = readonly Pick<Album, 'id' | 'name' | 'cover_key'>[];

/** The albums of an image that the user knows, in the image's order. */
export const albumsOf = (image: Image, albums: Albums) => image.albums.flatMap((id) => albums.find((album) => album.id === id) ?? []);

/** The albums that show an image as their cover. */
export const coversOf = (image: Image, albums: Albums) => albums.filter(({ cover_key }) => cover_key === image.key);

/**
 * In how many ways an image is in use. An expiry isn't one: keeping a copy that ends, instead of one that stays, would lose the picture.
 */
function usesOf(image: Image, albums: Albums): number {
  const { title, caption, alt, favourite, tags, slug, views, has_password, max_views } = image;
  const uses = [image.albums.length > 0, coversOf(image, albums).length > 0, title, caption, alt, favourite, tags.length, slug, views];
  return [...uses, has_password, max_views].filter(Boolean).length;
}

/** The image to suggest keeping: the one most in use, then with the most pixels, then the largest file, then the oldest upload. */
export function bestOf(images: readonly Image[], albums: Albums): Image | undefined {
  const rank = (image: Image) => [usesOf(image, albums), image.width * image.height, image.size];
  return images.toSorted((a, b) => {
    const [mine, others] = [rank(a), rank(b)];
    const at = mine.findIndex((value, index) => value !== others[index]);
    return at < 0 ? 0 : (others[at] as number) - (mine[at] as number);
  })[0];
}

/** The albums in which a kept image can take the place of others: as one of their images, or as their cover. */
export function placesFor(kept: Image | undefined, dropped: readonly Image[], albums: Albums) {
  if (!kept) return [];
  const isLeft = (album: Albums[number]) =>
    dropped.some((image) => coversOf(image, [album]).length > 0 || (image.albums.includes(album.id) && !kept.albums.includes(album.id)));
  return albums.filter(isLeft);
}
