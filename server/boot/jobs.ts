import { HOUR, MINUTE } from '#api/durations.ts';
import { removeExpiredSignIns } from '#server/core/accounts/sign-in.ts';
import { continueDeletions, deletionAttempts } from '#server/core/deletion/steps.ts';
import { guestUsage } from '#server/core/images/images.ts';
import { expireImages, forgetExpired } from '#server/core/images/lifetime/expiry.ts';
import { endTrashPeriod } from '#server/core/images/lifetime/trash.ts';
import { mergeSearch, updateSearch } from '#server/core/images/text/search.ts';
import { forgetReferrers } from '#server/core/images/views/referrers.ts';
import { forgetOldAudit } from '#server/core/journal/audit.ts';
import { noteStoredBytes } from '#server/core/journal/daily-counts.ts';
import { finishPausedSenders } from '#server/core/requests/sent-files.ts';
import { moveAttempts, moveBatch } from '#server/features/admin/policies/moves.ts';
import { removeReplaced } from '#server/features/backup/swap.ts';
import { tryLatestBackup } from '#server/features/backup/trial-restore.ts';
import { forgetUndos } from '#server/features/gallery/undo.ts';
import { forgetUploadKeys } from '#server/features/upload/keys.ts';
import { webhookJobs } from '#server/features/webhooks/jobs.ts';
import type { Job } from '#server/platform/jobs/scheduler.ts';
import { forgetLimits } from '#server/platform/limits/limits.ts';
import type { ServiceContext } from './compose.ts';

type Sources = Pick<
  ServiceContext,
  | 'config'
  | 'db'
  | 'blobs'
  | 'backups'
  | 'log'
  | 'secrets'
  | 'settings'
  | 'links'
  | 'version'
  | 'thumbnails'
  | 'placeholders'
  | 'textRecognition'
  | 'imports'
  | 'decoding'
  | 'staging'
  | 'diskReserve'
  | 'checkStart'
  | 'onBackupFault'
>;

/**
 * The service's background jobs. Every job may be interrupted at any point, even by a crash: what it has committed is
 * complete, and the next run continues from there.
 * @param now milliseconds since 1970
 */
export function serviceJobs(context: Sources, now: () => number = Date.now): Job[] {
  const { config, blobs, backups, thumbnails, placeholders, textRecognition, imports } = context;
  const db = context.db.as('job');
  const sources = { ...context, db };
  const deletions = deletionAttempts(context.log, now);
  const moves = moveAttempts(context.log);
  return [
    {
      name: 'expire pictures',
      everySeconds: 15,
      run: async (signal) => ({ expired: await untilNone(signal, () => expireImages(db, now())) }),
    },
    {
      name: 'forget expired pictures',
      everySeconds: HOUR,
      run: async (signal) => ({ forgotten: await untilNone(signal, () => forgetExpired(db, now())) }),
    },
    {
      name: 'empty the trash',
      everySeconds: HOUR,
      run: async (signal) => ({ removed: await untilNone(signal, () => endTrashPeriod(db, now())) }),
    },
    {
      name: 'delete accounts',
      everySeconds: 1,
      run: async (signal) => ({ changed: await untilNone(signal, () => continueDeletions(sources, now(), deletions)) }),
    },
    {
      name: 'finish request batches',
      everySeconds: 10,
      run: async (signal) => ({ finished: await untilNone(signal, () => finishPausedSenders(db, now())) }),
    },
    { name: 'index pictures', everySeconds: 10, run: async () => ({ indexed: await updateSearch(db) }) },
    {
      name: 'merge the search index',
      everySeconds: MINUTE,
      run: async (signal) => ({ merged: await untilNone(signal, async () => Number(await mergeSearch(db))) }),
    },
    {
      name: 'make placeholders',
      everySeconds: MINUTE,
      run: async (signal) => ({ placeholders: await untilNone(signal, () => placeholders.backfill(thumbnails)) }),
    },
    { name: 'recognise text', everySeconds: 5, run: async (signal) => ({ pictures: await textRecognition.run(signal) }) },
    {
      name: 'remove unwanted text',
      everySeconds: MINUTE,
      run: async (signal) => ({ removed: await untilNone(signal, () => textRecognition.removeUnwanted()) }),
    },
    {
      name: 'move pictures',
      everySeconds: 5,
      run: async (signal) => ({ moved: await untilNone(signal, () => moveBatch(sources, signal, moves)) }),
    },
    { name: 'import pictures', everySeconds: 1, everywhere: true, run: async (signal) => ({ imported: await imports.run(signal) }) },
    { name: 'remove unused blobs', everySeconds: MINUTE, run: async (signal) => ({ freed_bytes: await blobs.sweep({ signal }) }) },
    {
      name: 'remove thumbnails of blobs that are gone',
      everySeconds: MINUTE,
      everywhere: true,
      run: async (signal) => ({ blobs: await blobs.sweepDerived(signal) }),
    },
    { name: 'planned backup', everySeconds: 10 * MINUTE, run: async () => ({ made: (await backups.runScheduleIfDue(now())) ? 1 : 0 }) },
    {
      name: 'verify backups',
      everySeconds: MINUTE,
      run: async (signal) => ({ verified: (await tryLatestBackup(sources, signal)) ? 1 : 0 }),
    },
    {
      name: 'remove replaced data',
      everySeconds: HOUR,
      everywhere: true,
      run: async () => ({ removed: await removeReplaced(config.dataDir, now()) }),
    },
    { name: 'end sign-ins', everySeconds: HOUR, run: async () => ({ ended: await removeExpiredSignIns(db, now()) }) },
    {
      name: 'forget old audit entries',
      everySeconds: HOUR,
      run: async (signal) => ({ forgotten: await untilNone(signal, () => forgetOldAudit(db, now())) }),
    },
    { name: 'forget where views came from', everySeconds: 6 * HOUR, run: async () => ({ forgotten: await forgetReferrers(db, now()) }) },
    {
      name: 'forget what can be undone',
      everySeconds: HOUR,
      run: async (signal) => ({ forgotten: await untilNone(signal, () => forgetUndos(db, now())) }),
    },
    {
      name: 'forget upload keys',
      everySeconds: HOUR,
      run: async (signal) => ({ forgotten: await untilNone(signal, () => forgetUploadKeys(db, now())) }),
    },
    { name: 'forget rate limits', everySeconds: HOUR, run: async () => ({ forgotten: await forgetLimits(db, now()) }) },
    {
      name: 'note stored bytes',
      everySeconds: 6 * HOUR,
      run: async () => ({ users: await noteStoredBytes(db, await guestUsage(db.read), now()) }),
    },
    ...webhookJobs(sources, now),
  ];
}

/** Repeats a piece of work until there is nothing left to do; returns the total. */
async function untilNone(signal: AbortSignal, piece: () => Promise<number>): Promise<number> {
  let amount = 0;
  while (!signal.aborted) {
    const done = await piece();
    if (done === 0) break;
    amount += done;
  }
  return amount;
}
