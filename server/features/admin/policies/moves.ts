import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import type { Policy } from '#api/admin/policies.ts';
import type { Context } from '#server/core/context.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { tellProgress } from '#server/core/journal/changes.ts';
import { policyById } from '#server/core/policies/policies.ts';
import { InvalidRequestError, RequestError, requireFound } from '#server/platform/base/errors.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { PolicyMoveRow } from '#server/platform/db/schema/storage.ts';
import { type Attempts, createAttempts } from '#server/platform/jobs/attempts.ts';
import { nameOf, refOf, releaseBlobs } from '#server/platform/storage/blob-rows.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import { toWritable } from '#server/platform/storage/staging.ts';

type Sources = Pick<Context, 'blobs' | 'staging' | 'diskReserve' | 'log'> & { db: WritableDatabase };

const UNREADABLE = 'Some pictures can’t be read or written at the moment. They are tried again; the log shows the reason.';
const GONE = 'This storage policy no longer exists. Reload the list.';
const BATCH = 20;

/** Starts moving the images of a policy to another one; the job does the work. @throws RequestError when it can't start */
export async function startMove(db: WritableDatabase, { from, to }: { from: number; to: number }, origin: AuditOrigin): Promise<void> {
  await db.write(async (queries) => {
    const source = requireFound(await policyById(queries, from), GONE);
    const target = await policyById(queries, to);
    if (!target || from === to)
      throw new InvalidRequestError('Choose another storage policy.', { field: 'to_policy_id', problem: 'not_available' });
    const chained = await queries
      .selectFrom('policy_moves')
      .select('from_policy')
      .where((row) => row.or([row('from_policy', 'in', [from, to]), row('to_policy', '=', from)]))
      .executeTakeFirst();
    if (chained)
      throw new RequestError('conflict', 'Pictures from one of these policies are already being moved. Wait until that’s complete.', {
        problem: 'policy_moving',
      });
    await queries
      .insertInto('policy_moves')
      .values({ from_policy: from, to_policy: to, after_sha256: '', moved: 0, lost: 0, fault: null })
      .execute();
    await recordAudit(queries, origin, { action: 'policy.move_started', target: source.name, details: { to: target.name } });
  });
}

/** Stops a move; what it has moved stays where it is. */
export async function stopMove(db: WritableDatabase, from: number, origin: AuditOrigin): Promise<void> {
  await db.write(async (queries) => {
    const policy = requireFound(await policyById(queries, from), GONE);
    const { numDeletedRows } = await queries.deleteFrom('policy_moves').where('from_policy', '=', from).executeTakeFirst();
    if (numDeletedRows > 0n) await recordAudit(queries, origin, { action: 'policy.move_stopped', target: policy.name });
  });
}

/** The progress of the move from a policy; null: none. */
export async function moveFrom(read: Queries, from: number): Promise<Policy['move']> {
  const move = await moveOf(read, from);
  if (!move) return null;
  const { remaining } = await read
    .selectFrom('blobs')
    .select(sql<number>`count(*)`.as('remaining'))
    .where('policy_id', '=', from)
    .where('unused_since', 'is', null)
    .executeTakeFirstOrThrow();
  return { to_policy_id: move.to_policy, moved: move.moved, remaining, fault: move.fault };
}

const moveOf = (read: Queries, from: number) =>
  read.selectFrom('policy_moves').selectAll().where('from_policy', '=', from).executeTakeFirst();

/** At the files, by the names of their blobs. */
export const moveAttempts = (log: Context['log']): Attempts<string> =>
  createAttempts(log, 'couldn’t move a file to another storage policy; it will be tried again');

/**
 * Moves one batch of files for each move; returns their number. A file is copied and verified first; the commit that records the copy
 * points its images there, and the sweep deletes the original. So a crash leaves every image with a file.
 */
export async function moveBatch(sources: Sources, signal: AbortSignal, attempts = moveAttempts(sources.log)): Promise<number> {
  let moved = 0;
  const failures: unknown[] = [];
  for (const move of await sources.db.read.selectFrom('policy_moves').selectAll().execute()) {
    try {
      moved += await continueMove(sources, move, { signal, attempts });
    } catch (error) {
      // Tried again at the job's next run.
      await update(sources, move.from_policy, { fault: error instanceof RequestError ? error.message : UNREADABLE });
      if (!(error instanceof RequestError)) failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return moved;
}

/** What all files need concerns the move; another fault only the file. */
async function attemptAt(attempts: Attempts<string>, name: string, work: () => Promise<boolean>): Promise<boolean | 'later'> {
  const outcome = await attempts.run(name, () =>
    work().catch((error: unknown) => {
      if (error instanceof RequestError) return error;
      throw error;
    }),
  );
  if (outcome?.result instanceof RequestError) throw outcome.result;
  return outcome?.result ?? 'later';
}

async function continueMove(
  sources: Sources,
  move: PolicyMoveRow,
  { signal, attempts }: { signal: AbortSignal; attempts: Attempts<string> },
): Promise<number> {
  const { db } = sources;
  const ofMove = (sha256: string) => nameOf({ policyId: move.from_policy, sha256 });
  const resting = attempts.resting().flatMap((name) => {
    const ref = refOf(name);
    return ref?.policyId === move.from_policy ? [ref.sha256] : [];
  });
  const batch = await db.read
    .selectFrom('blobs')
    .select(['sha256', 'size'])
    .where('policy_id', '=', move.from_policy)
    .where('unused_since', 'is', null)
    .where('sha256', '>', move.after_sha256)
    .$if(resting.length > 0, (query) => query.where('sha256', 'not in', resting))
    .orderBy('sha256')
    .limit(BATCH)
    .execute();
  if (batch.length === 0) {
    await endPass(sources, move, resting.length > 0);
    return 0;
  }
  for (const [index, { sha256, size }] of batch.entries()) {
    if (signal.aborted || !(await moveOf(db.read, move.from_policy))) return index;
    const outcome = await attemptAt(attempts, ofMove(sha256), () => moveBlob(sources, move, sha256, size));
    const isLost = outcome === false;
    await update(sources, move.from_policy, { after_sha256: sha256, fault: null, ...(isLost && { lost: sql<number>`lost + 1` }) });
  }
  return batch.length;
}

/** Ends a move unless files are left behind its position: uploaded meanwhile, or resting. Lost files stay. */
async function endPass({ db }: Sources, { from_policy, lost, after_sha256, fault }: PolicyMoveRow, areResting: boolean): Promise<void> {
  const next = { after_sha256: '', lost: 0, fault: areResting ? UNREADABLE : null };
  await db.write(async (queries) => {
    const left = (await moveFrom(queries, from_policy))?.remaining ?? 0;
    if (left > lost && after_sha256 === '' && fault === next.fault) return;
    if (left > lost) await queries.updateTable('policy_moves').set(next).where('from_policy', '=', from_policy).execute();
    else await queries.deleteFrom('policy_moves').where('from_policy', '=', from_policy).execute();
    tellProgress(queries, 'move');
  });
}

async function update({ db }: Sources, from: number, values: object): Promise<void> {
  await db.write((queries) => {
    tellProgress(queries, 'move');
    return queries.updateTable('policy_moves').set(values).where('from_policy', '=', from).execute();
  });
}

/** Returns false when the file is lost. */
async function moveBlob(sources: Sources, { from_policy, to_policy }: PolicyMoveRow, sha256: string, size: number): Promise<boolean> {
  const { db, blobs, staging, diskReserve } = sources;
  await diskReserve.requireIn(await blobs.driverOf(to_policy), size);
  await using copy = await staging.create(size);
  try {
    const blob = await (await blobs.driverOf(from_policy)).open(sha256, { uncached: true });
    await pipeline(blob.stream(), toWritable(copy));
  } catch (error) {
    if (error instanceof BlobMissingError) return false;
    throw error;
  }
  const file = await copy.finish();
  if (file.sha256 !== sha256) return false; // damaged
  const { mime } = (await db.read.selectFrom('images').select('mime').where('sha256', '=', sha256).limit(1).executeTakeFirst()) ?? {};
  if (mime) file.mime = mime;
  await blobs.store('job', to_policy, file, async (queries) => {
    const { numUpdatedRows } = await queries
      .updateTable('images')
      .set({ policy_id: to_policy })
      .where('policy_id', '=', from_policy)
      .where('sha256', '=', sha256)
      .executeTakeFirst();
    const posters = await queries
      .updateTable('images')
      .set({ poster_policy_id: to_policy })
      .where('poster_policy_id', '=', from_policy)
      .where('poster_sha256', '=', sha256)
      .executeTakeFirst();
    await releaseBlobs(queries, [{ policyId: from_policy, sha256 }], Date.now());
    // Their last image was deleted meanwhile: the sweep removes the copy as well.
    if (numUpdatedRows + posters.numUpdatedRows === 0n) await releaseBlobs(queries, [{ policyId: to_policy, sha256 }], Date.now());
    await queries.updateTable('policy_moves').set({ moved: sql<number>`moved + 1` }).where('from_policy', '=', from_policy).execute();
  });
  return true;
}
