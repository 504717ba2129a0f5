import { randomUUID } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RequestError } from '#server/platform/base/errors.ts';
import { createKeyedLock } from '#server/platform/base/keyed-lock.ts';
import { type Author, announce, type Database, type Queries } from '#server/platform/db/database.ts';
import type { UnitSize } from '#server/platform/db/engine.ts';
import { removeEmptyFolder } from '#server/platform/files/missing.ts';
import {
  type BlobRef,
  giveUpRemoval,
  isBlob,
  isRecorded,
  keepFromRemoval,
  leaveToSweep,
  listUnrecorded,
  listUnused,
  nameOf,
  newClaim,
  recordAndRefer,
  refOf,
  removableUntil,
  resumeRemovals,
  SWEEP_BATCH,
  startRemoval,
} from './blob-rows.ts';
import type { StorageDriver } from './driver.ts';
import type { OpenDriver } from './drivers.ts';
import { StorageFault } from './s3/fault.ts';
import type { StagedFile } from './staged.ts';
import type { Staging } from './staging.ts';

/** The bytes of all images, stored once per storage policy. */
export interface Blobs {
  driverOf(policyId: number): Promise<StorageDriver>;
  /** A blob's bytes, if they are in memory and this service is to send them. */
  peek(ref: BlobRef): Buffer | undefined;
  /** Call it when policies have changed: their storages are opened again when they are used next. */
  reopen(): void;
  /**
   * Stores a staged file durably and then runs `refer` in the same commit as the blob's row: afterwards either both exist
   * or neither. The work is the same whether or not the blob exists already. The staged file may remain; the caller discards it.
   * @param author of what `refer` writes
   * @param size how much `refer` changes
   * @param beside another file that is stored in the same commit
   * @throws RequestError `unavailable` while the same blob is being removed
   */
  store<T>(
    author: Author,
    policyId: number,
    file: StagedFile,
    refer: (queries: Queries) => Promise<T>,
    size?: UnitSize,
    beside?: StagedFile,
  ): Promise<T>;
  /**
   * Removes unused blobs and returns the number of bytes freed; stops early when `signal` aborts, and does nothing during a backup.
   * @param only of this policy
   * @throws AggregateError when some can't be removed, after removing all others; RequestError `unavailable` when only their storage is to blame
   */
  sweep(options?: { only?: number; signal?: AbortSignal }): Promise<number>;
  /**
   * Removes what this machine derives from a policy's unused blobs, but not their files, and runs `commit`, which removes their rows
   * with the policy. No blobs are removed meanwhile.
   */
  forget<T>(policyId: number, commit: () => Promise<T>): Promise<T>;
  /** Removes files that a crash has left without a row, those on other machines in the next sweep, and resumes removals. Runs before `tmp/` is emptied. */
  recover(): Promise<void>;
  /**
   * Calls back once a blob's file is gone, so that nothing new is made of it, to remove what this machine derives from it and to abandon what is being made;
   * its row stays if that fails, and the next sweep tries again.
   * @param list the blobs that something is derived from
   */
  onRemoval(remove: (ref: BlobRef) => Promise<void>, list: () => AsyncIterable<BlobRef>): void;
  /**
   * Removes what this machine derives from blobs that another service has removed without its notice, if there may be any. Returns the
   * number of blobs.
   */
  sweepDerived(signal?: AbortSignal): Promise<number>;
  /** Closes all drivers. */
  close(): Promise<void>;
  /** Runs `work`, which may take hours, while no blobs are removed, for a consistent backup. */
  withoutRemovals<T>(work: () => Promise<T>): Promise<T>;
  /** Whether such work is running. @throws RequestError `conflict`, for those who would have to wait for it */
  requireRemovals(): void;
}

interface Parts {
  db: Database;
  openDriver: OpenDriver;
  staging: Staging;
  /** Called with faults that leave something behind, but harm nothing. */
  warn(error: unknown): void;
}

const INTENT = /^(\d+)-([0-9a-f]{64})\.[\w-]+\.intent$/;
/** What other services on the database are told once a blob is gone: its name follows. */
const REMOVED = 'removed blob ';

export function createBlobs({ db, openDriver, staging, warn }: Parts): Blobs {
  const derived: { remove(ref: BlobRef): Promise<void>; list(): AsyncIterable<BlobRef> }[] = [];
  const removeDerived = async (ref: BlobRef) => void (await Promise.all(derived.map(({ remove }) => remove(ref))));
  /** Also after a start: others may have removed blobs meanwhile. */
  let mayHaveMissedRemovals = db.isShared;
  const drivers = new Map<number, StorageDriver>();
  let reopened = 0;
  const lock = createKeyedLock();
  const removals = createKeyedLock();
  /** The number of backups that keep blobs from being removed. */
  let kept = 0;
  const own = db.as('job');

  async function driverOf(policyId: number): Promise<StorageDriver> {
    const known = drivers.get(policyId);
    if (known) return known;
    const before = reopened;
    const policy = await db.read.selectFrom('policies').selectAll().where('id', '=', policyId).executeTakeFirstOrThrow();
    const meanwhile = drivers.get(policyId);
    if (meanwhile) return meanwhile;
    if (before !== reopened) return driverOf(policyId); // the row may be older than the change
    const driver = openDriver(policy);
    drivers.set(policyId, driver);
    return driver;
  }

  /** Removes the file of a blob that has no row. Once this resolves, a power cut leaves either both or neither. */
  async function settle(ref: BlobRef) {
    // A commit whose flush has failed is in effect, and may not survive.
    if (await isRecorded(db, ref)) return db.durable();
    const driver = await driverOf(ref.policyId);
    // Another service may be storing the same, or the object store may complete an earlier request late.
    if (db.isShared || driver.isRemote) return leaveToSweep(own, ref);
    await driver.remove(ref.sha256);
    await removeDerived(ref); // a viewer may have been quicker than the flush
  }

  /** Within the lock, no other upload of this process stores the blob; those of other processes, and of later ones, find the claim. */
  const removeUnused = (ref: BlobRef): Promise<boolean> =>
    lock(nameOf(ref), async () => {
      const driver = await driverOf(ref.policyId);
      // Writing: what was only read may not survive a power cut.
      const claim = newClaim();
      try {
        if (!(await startRemoval(own, ref, claim))) return false;
        await driver.remove(ref.sha256);
        await removeDerived(ref);
      } catch (error) {
        // The object store may still complete a request that has timed out here: the claim stays.
        const isOver = !driver.isRemote || !(error instanceof RequestError) || (error instanceof StorageFault && error.isRefusal);
        if (isOver) await giveUpRemoval(own, ref, claim).catch(warn);
        throw error;
      }
      await own.write((queries) => {
        announce(queries, REMOVED + nameOf(ref));
        return queries.deleteFrom('blobs').where(isBlob(ref)).where('unused_since', '=', claim).execute();
      });
      return true;
    });

  db.onAnnouncement((message) => {
    if (message === undefined) mayHaveMissedRemovals = true;
    const ref = message?.startsWith(REMOVED) && refOf(message.slice(REMOVED.length));
    if (ref) void removeDerived(ref).catch(warn);
  });

  async function removeLeftOf(refs: readonly BlobRef[], failures: unknown[]): Promise<number> {
    const gone = await listUnrecorded(db, refs);
    // One file that can't be removed must not keep all others on the disk.
    for (const ref of gone) await removeDerived(ref).catch((error: unknown) => failures.push(error));
    return gone.length;
  }

  async function sweepDerived(signal?: AbortSignal): Promise<number> {
    let removed = 0;
    const failures: unknown[] = [];
    for (const { list } of derived) {
      let batch: BlobRef[] = [];
      for await (const ref of list()) {
        signal?.throwIfAborted();
        if (batch.push(ref) < SWEEP_BATCH) continue;
        removed += await removeLeftOf(batch, failures);
        batch = [];
      }
      removed += await removeLeftOf(batch, failures);
    }
    if (failures.length > 0) throw new AggregateError(failures, `what was made of ${failures.length} removed blobs could not be removed`);
    return removed;
  }

  /** Stores a file, whose row `commit` writes. */
  const place = <T>(policyId: number, file: StagedFile, commit: () => Promise<T>): Promise<T> =>
    lock(nameOf({ policyId, sha256: file.sha256 }), async () => {
      const driver = await driverOf(policyId);
      const ref = { policyId, sha256: file.sha256 };
      await keepFromRemoval(own, ref);
      // Also where the blob is stored already: whether another user has the same bytes must not show in the time that an upload takes.
      const note = await noteIntent(staging, ref);
      let result: T;
      try {
        await driver.store(file.sha256, file, file.mime).catch(async (error: unknown) => {
          // The object store may still complete the request after it has timed out here.
          if (driver.isRemote && error instanceof RequestError) await leaveToSweep(own, ref);
          throw error;
        });
        result = await commit();
      } catch (error) {
        // The reason is the first error. If this fails as well, the note stays for the next start.
        await settle(ref).then(note.remove).catch(warn);
        throw error;
      }
      await note.remove().catch(warn);
      return result;
    });

  return {
    driverOf,
    peek: ({ policyId, sha256 }) => drivers.get(policyId)?.peek(sha256),

    reopen() {
      reopened++; // one may be about to be opened
      for (const driver of drivers.values()) driver.retire();
      drivers.clear();
    },

    store: (author, policyId, file, refer, size, beside) => {
      const recorded = beside && ((queries: Queries) => recordAndRefer(queries, policyId, beside, refer));
      const commit = () => db.as(author).write((queries) => recordAndRefer(queries, policyId, file, recorded ?? refer), size);
      return place(policyId, file, beside ? () => place(policyId, beside, commit) : commit);
    },

    sweep: ({ only, signal } = {}) =>
      removals('sweep', async () => {
        if (kept > 0) return 0;
        let freed = 0;
        const failures: unknown[] = [];
        const unreachable = new Set<number>();
        for (let after: BlobRef | undefined; ; ) {
          const unused = await listUnused(db.read, after, only, removableUntil(db));
          for (const { policy_id, sha256, size } of unused) {
            if (signal?.aborted || kept > 0) break;
            after = { policyId: policy_id, sha256 };
            if (unreachable.has(policy_id)) continue;
            // One file that can't be removed must not keep all others on the disk.
            await removeUnused(after).then(
              (removed) => (freed += removed ? size : 0),
              (error) => {
                failures.push(error);
                if (error instanceof RequestError) unreachable.add(policy_id);
              },
            );
          }
          if (unused.length < SWEEP_BATCH || signal?.aborted || kept > 0) break;
        }
        if (failures.length > 0 && failures.every((failure) => failure instanceof RequestError)) throw failures[0];
        if (failures.length > 0) throw new AggregateError(failures, `${failures.length} unused blobs could not be removed`);
        return freed;
      }),

    forget: (policyId, commit) =>
      removals('sweep', async () => {
        requireRemovals();
        for (let after: BlobRef | undefined; ; ) {
          const unused = await listUnused(db.read, after, policyId);
          for (const { sha256 } of unused) {
            after = { policyId, sha256 };
            await removeDerived(after);
          }
          if (unused.length < SWEEP_BATCH) return commit();
        }
      }),

    async recover() {
      await resumeRemovals(db);
      const policies = new Set((await db.read.selectFrom('policies').select('id').execute()).map(({ id }) => id));
      for (const name of await readdir(staging.folder)) {
        const [, policyId, sha256] = INTENT.exec(name) ?? [];
        if (!policyId || !sha256) continue;
        const ref = { policyId: Number(policyId), sha256 };
        // Others were deleted after they stored nothing.
        if (policies.has(ref.policyId)) await settle(ref);
      }
    },

    onRemoval: (remove, list) => void derived.push({ remove, list }),

    async sweepDerived(signal) {
      if (!mayHaveMissedRemovals) return 0;
      mayHaveMissedRemovals = false; // until more are missed while this runs
      try {
        return await sweepDerived(signal);
      } catch (error) {
        mayHaveMissedRemovals = true;
        throw error;
      }
    },

    async close() {
      for (const driver of drivers.values()) await driver.close();
    },

    async withoutRemovals(work) {
      kept++;
      try {
        // Those under way end at the next blob.
        await removals('sweep', async () => undefined);
        return await work();
      } finally {
        kept--;
      }
    },

    requireRemovals,
  };

  function requireRemovals() {
    if (kept > 0)
      throw new RequestError('conflict', 'A backup is being made or downloaded. Wait until it’s complete, and try again.', {
        problem: 'backup_running',
      });
  }
}

/**
 * Leaves a note in `tmp/` while a file is in its final place without a row, so that a crash can be cleaned up without scanning
 * all blobs. The note is a folder, which takes one call to make where a file takes three. It is not flushed: file systems
 * with a journal keep the order of note and rename, and without one, the worst result is an unused blob.
 */
async function noteIntent(staging: Staging, { policyId, sha256 }: BlobRef): Promise<{ remove(): Promise<void> }> {
  const note = join(staging.folder, `${policyId}-${sha256}.${randomUUID()}.intent`);
  await mkdir(note);
  return { remove: () => removeEmptyFolder(note) };
}
