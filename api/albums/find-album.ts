import type { CallOptions, Client } from '#api/client.ts';
import type { Album } from './albums.ts';

/** All of the caller's albums, in their order. Throws what the client throws. */
export const allAlbums = (client: Client, options: CallOptions = {}): Promise<Album[]> => everyPage(client, {}, options);

/** All albums that others share with the caller. Services before 0.5 know none. */
export async function sharedAlbums(client: Client, options: CallOptions = {}): Promise<Album[]> {
  const albums = await everyPage(client, { shared: 'true' }, options);
  return albums.filter(({ role }) => role !== undefined && role !== 'owner');
}

/** All albums into which the caller may put pictures, their own first. */
export async function addableAlbums(client: Client, options: CallOptions = {}): Promise<Album[]> {
  const [own, shared] = [await allAlbums(client, options), await sharedAlbums(client, options)];
  return [...own, ...shared.filter(mayAdd)];
}

/** Whether the caller may put pictures into an album that is theirs or shared with them. */
export const mayAdd = ({ role }: Pick<Album, 'role'>): boolean => role !== 'viewer';

/** Whether the caller may change an album's texts, cover and order, and remove the pictures of others. */
export const mayManage = ({ role }: Pick<Album, 'role'>): boolean => role === 'owner' || role === 'manager';

async function everyPage(client: Client, which: { shared?: string }, options: CallOptions): Promise<Album[]> {
  const albums: Album[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call('GET /albums', { query: { limit: 200, ...which, ...(cursor && { cursor }) }, ...options });
    albums.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return albums;
}

/** The id of the album with this id, or of the first with this name; undefined if there is none. */
export function findAlbum(albums: readonly Pick<Album, 'id' | 'name'>[], idOrName: string): string | undefined {
  return (albums.find(({ id }) => id === idOrName) ?? albums.find(({ name }) => name === idOrName))?.id;
}
