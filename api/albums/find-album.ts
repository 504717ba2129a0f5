import type { CallOptions, Client } from '#api/client.ts';
import type { Album } from './albums.ts';

/** All of the caller's albums, in their order. Throws what the client throws. */
export async function allAlbums(client: Client, options: CallOptions = {}): Promise<Album[]> {
  const albums: Album[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call('GET /albums', { query: { limit: 200, ...(cursor && { cursor }) }, ...options });
    albums.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return albums;
}

/** The id of the album with this id, or of the first with this name; undefined if there is none. */
export function findAlbum(albums: readonly Pick<Album, 'id' | 'name'>[], idOrName: string): string | undefined {
  return (albums.find(({ id }) => id === idOrName) ?? albums.find(({ name }) => name === idOrName))?.id;
}
