import { type Insertable, sql } from 'kysely';
import { MAX_REQUESTS } from '#api/constants.ts';
import type { RouteParsed } from '#api/contract.ts';
import type * as api from '#api/sharing/requests.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { requireRole } from '#server/core/albums/members.ts';
import { keysOfBatches } from '#server/core/requests/sent-files.ts';
import { readSettings } from '#server/core/settings/settings.ts';
import { ForbiddenError, NotFoundError, RequestError, requireFound } from '#server/platform/base/errors.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { keysetPage, NEWEST_FIRST, type Order, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { RequestLinkRow } from '#server/platform/db/schema/requests.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';

type NewRequest = RouteParsed<typeof api.createRequest, 'body'>;
type Changes = RouteParsed<typeof api.changeRequest, 'body'>;

/** A request link of an album, on behalf of a user who may manage it. */
export interface OwnRequest {
  userId: number;
  albumId: string;
  requestId: string;
}

const NO_REQUEST = 'This request link no longer exists. It may have been deleted.';

/** @throws NotFoundError, or ForbiddenError for members who may not ask for pictures */
const requireRequestable = (queries: Queries, userId: number, albumId: string) => requireRole(queries, userId, albumId, 'manager');

/** Creates a request link. @throws RequestError `conflict` when the album has too many */
export async function createRequest(db: WritableDatabase, userId: number, albumId: string, request: NewRequest): Promise<RequestLinkRow> {
  const { title, message = '', expires_in, max_files, max_bytes, access_password, show } = request;
  await requireRequestable(db.read, userId, albumId);
  // Hashing is slow on purpose, so it happens before the unit of writing, which blocks all others.
  const password_hash = access_password ? await hashPassword(access_password) : null;
  const now = Date.now();
  const row: Insertable<Tables['request_links']> = {
    id: randomKey(22),
    album_id: albumId,
    owner_id: userId,
    title,
    message,
    password_hash,
    max_files,
    max_bytes,
    show,
    expires_at: now + expires_in * 1000,
    paused_at: null,
    created_at: now,
  };
  return db.write(async (queries) => {
    if (!(await readSettings(queries)).request_links_enabled)
      throw new ForbiddenError('An administrator has turned off request links. Ask them to turn these on.');
    await requireRequestable(queries, userId, albumId);
    const { count } = await queries
      .selectFrom('request_links')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('album_id', '=', albumId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_REQUESTS)
      throw new RequestError('conflict', `An album can have at most ${MAX_REQUESTS} request links. Delete one first.`, {
        problem: 'too_many_requests',
        limit: MAX_REQUESTS,
      });
    return queries.insertInto('request_links').values(row).returningAll().executeTakeFirstOrThrow();
  });
}

/** The condition that a user may manage a link of an album: their own, and as the album's owner those of its managers. */
const isManagedBy = (userId: number, albumId: string) =>
  sql<boolean>`(request_links.owner_id = ${userId} or exists (select 1 from albums where albums.id = ${albumId} and albums.owner_id = ${userId}))`;

/** @throws NotFoundError when the album has no such link that this user manages */
async function requireManaged(queries: Queries, { userId, albumId, requestId }: OwnRequest): Promise<RequestLinkRow> {
  const link = queries.selectFrom('request_links').selectAll().where('id', '=', requestId).where('album_id', '=', albumId);
  return requireFound(await link.where(isManagedBy(userId, albumId)).executeTakeFirst(), NO_REQUEST);
}

const LATEST_FIRST: Order = { direction: 'desc', columns: { created_at: 'number', id: 'string' } };

/** The request links of an album that a user manages, newest first. */
export async function listRequests(queries: Queries, userId: number, albumId: string, page: PageRequest): Promise<Page<RequestLinkRow>> {
  await requireRequestable(queries, userId, albumId);
  const links = queries.selectFrom('request_links').selectAll().where('album_id', '=', albumId).where(isManagedBy(userId, albumId));
  return keysetPage(links, LATEST_FIRST, page);
}

/** What the owner of an album may do to the links of its managers: what is sent through them is at the expense of these. */
const endsOnly = ({ paused, expires_in, ...rest }: Changes) =>
  paused !== false && (expires_in ?? 0) === 0 && Object.values(rest).every((value) => value === undefined);

/**
 * Changes a request link.
 * @throws NotFoundError when there is none for this user
 * @throws ForbiddenError for more than pausing or ending another user's
 */
export async function changeRequest(
  db: WritableDatabase,
  { userId, albumId, requestId }: OwnRequest,
  changes: Changes,
): Promise<RequestLinkRow> {
  const { expires_in, access_password, paused, ...columns } = changes;
  const password_hash = access_password ? await hashPassword(access_password) : access_password;
  const now = Date.now();
  return db.write(async (queries) => {
    await requireRequestable(queries, userId, albumId);
    const { owner_id } = await requireManaged(queries, { userId, albumId, requestId });
    if (owner_id !== userId && !endsOnly(changes))
      throw new ForbiddenError('Only the user who created this link can change or resume it. You can pause, end or delete it.');
    return queries
      .updateTable('request_links')
      .set({
        ...columns,
        ...(expires_in !== undefined && { expires_at: now + expires_in * 1000 }),
        ...(paused !== undefined && { paused_at: paused ? now : null }),
        password_hash,
        // An empty change is no statement.
        album_id: albumId,
      })
      .where('id', '=', requestId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Deletes a request link; the pictures stay. @throws NotFoundError when there is none for this user */
export async function deleteRequest(db: WritableDatabase, { userId, albumId, requestId }: OwnRequest): Promise<void> {
  await db.write(async (queries) => {
    await requireRequestable(queries, userId, albumId);
    await requireManaged(queries, { userId, albumId, requestId });
    await queries.deleteFrom('request_links').where('id', '=', requestId).execute();
  });
}

/** Batches with what is said about them. */
export interface ReceivedBatch {
  id: number;
  request_id: string;
  album_id: string;
  title: string;
  sender_name: string;
  last_at: number;
  closed_at: number | null;
  keys: string[];
}

const batches = (queries: Queries) =>
  queries
    .selectFrom('request_batches')
    .innerJoin('request_links', 'request_links.id', 'request_batches.request_id')
    .select(['request_batches.id as id', 'request_id', 'album_id', 'title', 'sender_name', 'last_at', 'closed_at']);

/** Who sent what through a link, the latest first. @throws NotFoundError when there is none for this user */
export async function listBatches(
  queries: Queries,
  { userId, albumId, requestId }: OwnRequest,
  page: PageRequest,
): Promise<Page<ReceivedBatch>> {
  await requireRequestable(queries, userId, albumId);
  await requireManaged(queries, { userId, albumId, requestId });
  const ofLink = batches(queries).where('request_id', '=', requestId);
  const { items, next_cursor } = await keysetPage(queries.selectFrom(ofLink.as('batches')).selectAll(), NEWEST_FIRST, page);
  return { items: await withKeys(queries, items), next_cursor };
}

/** One batch of a link of this user's. @throws NotFoundError */
export async function findReceived(queries: Queries, userId: number, batch: number): Promise<ReceivedBatch> {
  const rows = await batches(queries).where('request_batches.id', '=', batch).where('request_links.owner_id', '=', userId).execute();
  const [found] = await withKeys(queries, rows);
  if (!found) throw new NotFoundError('These pictures are no longer listed. The request link may have been deleted.');
  return found;
}

async function withKeys(queries: Queries, rows: readonly Omit<ReceivedBatch, 'keys'>[]): Promise<ReceivedBatch[]> {
  const keys = await keysOfBatches(
    queries,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, keys: keys.get(row.id) ?? [] }));
}
