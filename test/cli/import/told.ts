import { allAlbums } from '#api/albums/find-album.ts';
import type { Client } from '#api/client.ts';
import { MAX_PAGE } from '#api/constants.ts';
import { type Image, listImages } from '#api/images/images.ts';
import type { Entry, Product } from '#test/helpers/network/fake-sources.ts';

type Told = Partial<Entry>;

const ordered = (entries: Told[]) =>
  entries
    .map((entry) => ({ ...entry, tags: entry.tags?.toSorted(), albums: entry.albums?.toSorted() }))
    .sort((one, other) => Number(one.created) - Number(other.created));

/** All pictures of an account. */
export async function allImages(client: Client): Promise<Image[]> {
  const images: Image[] = [];
  for (let cursor: string | undefined, page = 0; page === 0 || cursor; page++) {
    const { items, next_cursor } = await client.call(listImages, { query: { limit: MAX_PAGE, ...(cursor && { cursor }) } });
    images.push(...items);
    cursor = next_cursor ?? undefined;
  }
  return images;
}

/** What an account has, in the words of a fake product. */
export async function told(client: Client): Promise<Told[]> {
  const names = new Map((await allAlbums(client)).map(({ id, name }) => [id, name]));
  const images = await allImages(client);
  return ordered(
    images.map(({ name, caption, tags, albums, visibility, favourite, taken_at }) => ({
      name,
      created: Date.parse(taken_at),
      caption,
      tags,
      albums: albums.map((id) => names.get(id) ?? ''),
      isPublic: visibility === 'public',
      favourite,
    })),
  );
}

/** What an import must have made of a library. */
export const expectedOf = (library: Entry[], { told: tells }: Product): Told[] =>
  ordered(library.map(tells).map((entry) => ({ ...entry, name: entry.name?.normalize('NFC').replace('\\', '-') })));
