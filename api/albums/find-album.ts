import type { CallOptions, Client } from '#api/client.ts';
import { MAX_PAGE } from '#api/constants.ts';
import { cleanLine } from '#api/plain-text.ts';
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
    const page = await client.call('GET /albums', { query: { limit: MAX_PAGE, ...which, ...(cursor && { cursor }) }, ...options });
    albums.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return albums;
}

/** The first album with this name, as the service writes names: that of a folder, for example, may have accents in NFD or a line break. */
export function albumNamed<A extends Pick<Album, 'name'>>(albums: readonly A[], name: string): A | undefined {
  const clean = cleanLine(name);
  return albums.find((album) => album.name === clean);
}

/** What {@link findAlbum} looks at. */
type NamedAlbum = Pick<Album, 'id' | 'name' | 'role' | 'owner'>;

/** Whether an album is another user's, who sees what the caller puts into it. */
export const isOfAnother = ({ role }: Pick<Album, 'role'>): boolean => role !== 'owner';

/** The name that {@link findAlbum} finds an album by: `owner/name` for another user's. Names of users contain no slash. */
export const fullName = (album: Pick<Album, 'name' | 'role' | 'owner'>): string =>
  isOfAnother(album) ? `${album.owner.username}/${album.name}` : album.name;

/**
 * The album with this id or, among the caller's own, the first with this name; those of others only by `owner/name`: anyone can share an album
 * that is called like one of the caller's. Undefined if there is none.
 */
export function findAlbum<A extends NamedAlbum>(albums: readonly A[], text: string): A | undefined {
  const name = cleanLine(text);
  return (
    albums.find(({ id }) => id === text) ??
    albums.find((album) => fullName(album) === name && !isOfAnother(album)) ??
    albums.find((album) => fullName(album) === name)
  );
}

/** The full names of other users' albums that have this name. */
export function namesakes(albums: readonly NamedAlbum[], name: string): string[] {
  const clean = cleanLine(name);
  return albums.filter((album) => isOfAnother(album) && album.name === clean).map(fullName);
}
