import type { z } from 'zod';
import type { putOldAddresses } from '#api/admin/old-addresses.ts';
import { MAX_OLD_ADDRESSES } from '#api/constants.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import type { Queries } from '#server/platform/db/database.ts';

type Sent = z.infer<typeof putOldAddresses.body>['addresses'];
type Refused = z.infer<typeof putOldAddresses.data>['refused'];

/** Rows per statement, which may have a limited number of parameters. */
const CHUNK = 500;
const MAX_PATH = 1_000;

/** The path of an address as it is stored and looked up: decoded, without host and query. Undefined if it can't be one. */
export function placeOf(address: string): string | undefined {
  // A path may begin with two slashes.
  const path = address.startsWith('/') ? address.replace(/[?#].*/s, '') : URL.parse(address)?.pathname;
  if (!path) return undefined;
  const decoded = decodedPath(path);
  // Not every database stores a zero.
  return decoded.length <= MAX_PATH && !decoded.includes('\0') ? decoded : undefined;
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The key of the picture that an address from before leads to. */
export async function findByOldAddress(queries: Queries, path: string): Promise<string | undefined> {
  const place = placeOf(path);
  if (place === undefined) return undefined;
  const found = await queries
    .selectFrom('old_addresses')
    .innerJoin('images', 'images.id', 'old_addresses.image_id')
    .select('images.key')
    .where('old_addresses.path', '=', place)
    .executeTakeFirst();
  return found?.key;
}

export async function countOldAddresses(queries: Queries): Promise<number> {
  const { count } = await queries
    .selectFrom('old_addresses')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Stores addresses; the last one of a path counts.
 * @param isOwn whether a path belongs to the service
 * @throws RequestError if there would be too many
 */
export async function storeOldAddresses(queries: Queries, sent: Sent, isOwn: (path: string) => boolean): Promise<Refused> {
  const refused: Refused = [];
  const places = new Map<string, { old: string; picture: string }>();
  for (const { old, now } of sent) {
    const path = placeOf(old);
    const picture = pictureIn(now);
    if (path === undefined) refused.push({ old, reason: 'not_an_address' });
    else if (isOwn(path)) refused.push({ old, reason: 'own_address' });
    else if (picture === undefined) refused.push({ old, reason: 'no_such_picture' });
    else places.set(path, { old, picture });
  }
  for (const chunk of chunksOf([...places])) {
    const names = [...new Set(chunk.map(([, { picture }]) => picture))];
    const images = await queries
      .selectFrom('images')
      .select(['id', 'key', 'slug'])
      .where(({ or, eb }) => or([eb('key', 'in', names), eb('slug', 'in', names)]))
      .execute();
    const ids = new Map(images.flatMap(({ id, key, slug }) => [[key, id] as const, ...(slug === null ? [] : [[slug, id] as const])]));
    const rows = chunk.flatMap(([path, { old, picture }]) => {
      const image_id = ids.get(picture);
      if (image_id === undefined) refused.push({ old, reason: 'no_such_picture' });
      return image_id === undefined ? [] : [{ path, image_id }];
    });
    if (rows.length === 0) continue;
    const insert = queries.insertInto('old_addresses').values(rows);
    await insert
      .onConflict((conflict) => conflict.column('path').doUpdateSet(({ ref }) => ({ image_id: ref('excluded.image_id') })))
      .execute();
  }
  if ((await countOldAddresses(queries)) > MAX_OLD_ADDRESSES)
    throw new RequestError('invalid_request', `There can be at most ${MAX_OLD_ADDRESSES} old addresses.`, { field: 'addresses' });
  return refused;
}

/** The key or custom address in a link. */
function pictureIn(link: string): string | undefined {
  const path = link.startsWith('/') ? link : (URL.parse(link)?.pathname ?? '');
  return /^\/[its]\/([\w-]{1,100})(?:\.\w{1,8})?(?:[?#]|$)/.exec(path)?.[1];
}

const chunksOf = <T>(list: T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / CHUNK) }, (_, index) => list.slice(index * CHUNK, (index + 1) * CHUNK));
