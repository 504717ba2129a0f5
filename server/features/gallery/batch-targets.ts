import type { addToAlbum } from '#api/albums/pictures.ts';
import type { RouteData, RouteParsed } from '#api/contract.ts';
import type { batchImages } from '#api/images/changes.ts';
import type { purgeTrash } from '#api/images/trash.ts';
import { isAtLeast, requireRole } from '#server/core/albums/members.ts';
import type { Context } from '#server/core/context.ts';
import { newUndo } from '#server/core/images/lifetime/trash.ts';
import { InvalidRequestError, NotFoundError } from '#server/platform/base/errors.ts';
import type { Database, WritableDatabase } from '#server/platform/db/database.ts';
import { type BatchChange, changeOwnImages, requireDates } from './batch.ts';
import { takenBetween, uploadAt, walkOwnImages } from './list.ts';
import type { ImageFilters } from './list-query.ts';
import { forgetEarlier, isNoted, undoBatch } from './undo.ts';

type Body = RouteParsed<typeof batchImages, 'body'>;
/** A batch that names its images. */
type Batch = Exclude<Body, { action: 'undo' }>;
type Outcome = RouteData<typeof batchImages>;
type Sources = Pick<Context, 'log' | 'opaque'> & { db: WritableDatabase };

/** Images per commit, so that other writes run in between. */
const CHUNK = 200;
const NOTHING_TO_UNDO =
  'There’s nothing to undo. It has already been undone, it’s more than a day old, or the pictures have been permanently deleted.';

/**
 * Applies an action to a user's images: to those of `keys` in one commit, or in chunks to those that a query matches (decision 067) or
 * that an earlier request changed. When a chunk fails after others have been committed, the rest counts as failed: the result
 * must say what was done, and how to undo it.
 * @throws RequestError with the reason, or any other error; nothing has been changed then
 */
export async function runBatch(sources: Sources, ownerId: number, body: Body): Promise<Outcome> {
  if (body.action === 'undo') return takeBack(sources, ownerId, body.undo);
  const { keys } = body;
  const query = 'query' in body ? body.query : undefined;
  const undo = 'undo' in body ? body.undo : undefined;
  if ([keys, query, undo].filter((target) => target !== undefined).length !== 1)
    throw new InvalidRequestError(`Specify either keys or ${body.action === 'restore' ? 'undo' : 'query'}.`, { field: 'keys' });
  if (body.action === 'date' && (body.taken_at === undefined) === (body.shift_seconds === undefined))
    throw new InvalidRequestError('Specify either taken_at or shift_seconds.', { field: 'taken_at' });
  const continued = body.action === 'trash' ? body.continues : undefined;
  const batch = body.action === 'restore' || body.action === 'purge' ? undefined : (continued ?? newUndo());
  const change: BatchChange = { ...withoutTarget(body), batch };
  if (body.action !== 'restore' || keys) return applyTo(sources, ownerId, change, body);
  const total = await restoreTrashed(sources, ownerId, undo ?? '', change);
  if (total.processed + total.failed === 0) throw new NotFoundError(NOTHING_TO_UNDO);
  return { results: [], ...total };
}

/** @throws InvalidRequestError if one of the pictures would have a date that no picture has: half of a shift must not be repeated */
async function requireDatable(
  db: Database,
  ownerId: number,
  seconds: number,
  { query: { as_of: _, ...filters } = {}, except_keys }: Queried,
  upTo: number,
) {
  const times = await takenBetween(db, ownerId, { ...filters, upTo }, except_keys);
  requireDates(times.map((time) => time + seconds * 1000));
}

/** Restores what a request moved to the trash, as far as it is still there. */
function restoreTrashed(sources: Sources, ownerId: number, token: string, change: BatchChange) {
  const chunks = trashedBy(sources.db, ownerId, token);
  return inChunks(chunks, (chunk) => changeOwnImages(sources.db, ownerId, chunk, change), sources.log);
}

/**
 * Adds a user's images to an album, or removes images from it, by `keys` or by `query` as {@link runBatch} does. All members may remove their own images, those
 * who manage the album also others' by `keys`.
 * @throws RequestError with the reason, or any other error; nothing has been changed then
 */
export async function changeAlbum(
  sources: Sources,
  ownerId: number,
  { action, album_id }: { action: 'album_add' | 'album_remove'; album_id: string },
  { keys, query, except_keys }: RouteParsed<typeof addToAlbum, 'body'>,
): Promise<Outcome> {
  const { role } = await requireRole(sources.db.read, ownerId, album_id, action === 'album_add' ? 'contributor' : 'viewer');
  if ((keys === undefined) === (query === undefined)) throw new InvalidRequestError('Specify either keys or query.', { field: 'keys' });
  const batch = newUndo();
  if (action === 'album_add') return applyTo(sources, ownerId, { action, album_id, batch }, { keys, query, except_keys });
  const alsoOthers = keys !== undefined && isAtLeast(role, 'manager');
  const within = query && { album_id, ...query };
  return applyTo(sources, ownerId, { action, album_id, alsoOthers, batch }, { keys, query: within, except_keys });
}

async function applyTo(sources: Sources, ownerId: number, change: BatchChange, { keys, ...queriedBy }: Targets): Promise<Outcome> {
  const { action, batch } = change;
  const { db } = sources;
  const upTo = keys ? 0 : await uploadAt(sources, queriedBy.query?.as_of);
  if (!keys && change.action === 'date' && change.shift_seconds !== undefined)
    await requireDatable(db, ownerId, change.shift_seconds, queriedBy, upTo);
  if (batch) await forgetEarlier(db, ownerId);
  const apply = (some: string[]) => changeOwnImages(db, ownerId, some, change);
  if (keys) {
    const results = await apply(keys);
    return { results, ...sum(results), undo: await undoOf(db, action, batch, sum(results).processed) };
  }
  const total = await inChunks(queried(db, ownerId, queriedBy, upTo), apply, sources.log);
  return { results: [], ...total, undo: await undoOf(db, action, batch, total.processed) };
}

/**
 * Restores or purges images in a user's trash, by `keys` or by `query` as {@link runBatch} does.
 * @throws RequestError `expires_over_group`, or any other error; nothing has been changed then
 */
export async function changeTrash(
  sources: Sources,
  ownerId: number,
  { keys, query, except_keys }: RouteParsed<typeof purgeTrash, 'body'>,
  change: BatchChange,
): Promise<RouteData<typeof purgeTrash>> {
  if ((keys === undefined) === (query === undefined)) throw new InvalidRequestError('Specify either keys or query.', { field: 'keys' });
  let [removed, versions] = [0, 0];
  const apply = async (some: string[]) => {
    const results = await changeOwnImages(sources.db, ownerId, some, change);
    removed += results.filter(({ code }) => code === 'removed_by_sender').length;
    versions += results.filter(({ code }) => code === 'previous_version').length;
    return results;
  };
  const leftOut = () => ({ ...(removed > 0 && { left_out: removed }), ...(versions > 0 && { versions_left_out: versions }) });
  if (keys) {
    const results = await apply(keys);
    return { results, ...sum(results), ...leftOut() };
  }
  const upTo = await uploadAt(sources, query?.as_of);
  const chunks = queried(sources.db, ownerId, { query: { ...query, trash: true }, except_keys }, upTo);
  return { results: [], ...(await inChunks(chunks, apply, sources.log)), ...leftOut() };
}

/** What undoes a batch; undefined where it changed nothing. */
async function undoOf(
  db: Database,
  action: BatchChange['action'],
  batch: string | undefined,
  processed: number,
): Promise<string | undefined> {
  if (batch === undefined || processed === 0) return undefined;
  return action === 'trash' || (await isNoted(db, batch)) ? batch : undefined;
}

/** Restores first: what was noted may be about a picture that is in the trash. */
async function takeBack(sources: Sources, ownerId: number, undo: string): Promise<Outcome> {
  const restored = await restoreTrashed(sources, ownerId, undo, { action: 'restore', expiredStay: true });
  const undone = await undoBatch(sources.db, ownerId, undo);
  if (restored.processed + restored.failed === 0) {
    if (!undone) throw new NotFoundError(NOTHING_TO_UNDO);
    return { results: [], ...undone };
  }
  return { results: [], processed: restored.processed, failed: restored.failed + (undone?.failed ?? 0) };
}

/** Changes chunks until one fails, and only counts the rest. @throws the error when nothing has been changed before it */
async function inChunks(chunks: AsyncIterable<string[]>, apply: (keys: string[]) => Promise<Outcome['results']>, log: Context['log']) {
  const total = { processed: 0, failed: 0 };
  let isStopped = false;
  const stop = (error: unknown, failed: number) => {
    if (total.processed === 0) throw error;
    log.error({ err: error, processed: total.processed }, 'a change of many pictures stopped half-way');
    total.failed += failed;
    isStopped = true;
  };
  try {
    for await (const chunk of chunks) {
      const results = isStopped ? [] : await apply(chunk).catch((error: unknown) => stop(error, 0) ?? []);
      const { processed, failed } = sum(results);
      total.processed += processed;
      total.failed += isStopped ? chunk.length : failed;
    }
  } catch (error) {
    // At least one: the rest can't be read.
    stop(error, 1);
  }
  return total;
}

/** The action alone. */
function withoutTarget(body: Batch): BatchChange {
  const { keys: _keys, ...rest } = body;
  // Undoing a deletion must not reopen a picture that has expired.
  if (rest.action === 'restore') {
    const { undo, ...restore } = rest;
    return { ...restore, expiredStay: undo !== undefined };
  }
  const { query: _query, except_keys: _except, ...change } = rest;
  if (change.action !== 'trash') return change;
  const { continues: _continues, ...trash } = change;
  return trash;
}

function sum(results: Outcome['results']) {
  const processed = results.filter(({ ok }) => ok).length;
  return { processed, failed: results.length - processed };
}

type Targets = Queried & { keys?: string[] | undefined };
type Queried = { query?: (ImageFilters & { as_of?: string | undefined }) | undefined; except_keys?: string[] | undefined };

/** The keys of what a batch by query is for. Pictures uploaded meanwhile aren't part of it. */
async function* queried(
  db: Database,
  ownerId: number,
  { query: { as_of: _, ...filters } = {}, except_keys }: Queried,
  upTo: number,
): AsyncGenerator<string[]> {
  const except = new Set(except_keys);
  for await (const rows of walkOwnImages(db, ownerId, filters, upTo)) {
    const keys = rows.map(({ key }) => key).filter((key) => !except.has(key));
    if (keys.length > 0) yield keys;
  }
}

/** The keys of the images that one request of this user moved to the trash and that are still there. */
async function* trashedBy(db: Database, ownerId: number, batch: string): AsyncGenerator<string[]> {
  let after = 0;
  for (;;) {
    const rows = await db.read
      .selectFrom('images')
      .select(['id', 'key'])
      .where('trash_batch', '=', batch)
      .where('owner_id', '=', ownerId)
      .where('deleted_at', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(CHUNK)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ key }) => key);
    after = last.id;
  }
}
