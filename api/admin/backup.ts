import { z } from 'zod';
import { asSent, count, instant, nothing, route } from '#api/contract.ts';

/** Name of an archive in the backup folder. */
const backupName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,100}\.tar$/, 'it isn’t the name of a backup');
const snapshotName = z.string().regex(/^\d{8}-\d{6}$/, 'it isn’t the name of a snapshot');

/** Contents of one backup. `missing` counts files that were lost, or couldn't be read, when it was made. */
export const backupSummary = z.object({ created_at: instant, images: count, blobs: count, bytes: count, missing: count });
export type BackupSummary = z.infer<typeof backupSummary>;

/** An archive in the backup folder. */
const backupFile = z.object({ name: backupName, size: count, created_at: instant });

export const backupSchedule = z.object({
  folder: asSent(4096, 1).meta({ description: 'Absolute path, preferably on another disk' }),
  every_hours: z.int().min(1).max(8784),
  keep: z.int().min(1).max(100).meta({ description: 'Number of snapshots to keep' }),
});
export type BackupSchedule = z.infer<typeof backupSchedule>;

/** The result of the trial restore of a scheduled backup. */
export const backupDrill = z.object({
  snapshot: snapshotName,
  finished_at: instant,
  seconds: count,
  images: count,
  blobs: count.meta({ description: 'Files that were read and compared with their hashes' }),
  bytes: count,
  fault: z.string().nullable().meta({ description: 'Why the backup can’t be restored, as a sentence; null: it can' }),
});
export type BackupDrill = z.infer<typeof backupDrill>;

/** What a restore brought back, and what it ended or turned off because it may have been withdrawn since the backup. */
export const restoreReport = backupSummary.extend({
  restored_at: instant.nullable().meta({ description: 'Null until the service has started with it' }),
  albums: count,
  users: count,
  sessions_ended: count,
  tokens_revoked: count,
  invites_revoked: count,
  webhooks_paused: z
    .array(z.object({ id: z.int(), name: z.string(), url: z.string() }))
    .meta({ description: 'Off until an admin turns them on' }),
  requests_paused: count.default(0).meta({ description: 'Request links, until their owners resume them' }),
  schedule_paused: backupSchedule.nullable().meta({ description: 'Off until an admin sets it again' }),
});
export type RestoreReport = z.infer<typeof restoreReport>;

/** A restore that was undone, since the service didn't start with it. */
export const restoreFailure = z.object({
  created_at: instant.meta({ description: 'When the backup was made' }),
  failed_at: instant,
  reason: z.string().meta({ description: 'A sentence' }),
});
export type RestoreFailure = z.infer<typeof restoreFailure>;

export const getBackups = route({
  method: 'GET',
  path: '/admin/backup',
  access: 'admin',
  summary: 'Get backups: archives, running jobs and the schedule',
  data: z.object({
    files: z.array(backupFile),
    running: z.object({ started_at: instant, bytes: count, total_bytes: count }).nullable(),
    schedule: backupSchedule.nullable(),
    snapshots: z.array(snapshotName).meta({ description: 'In the folder of the schedule, latest first' }),
    drill: backupDrill.nullable().meta({ description: 'The latest trial restore of a scheduled backup' }),
    restore: backupSummary.nullable().meta({ description: 'Verified; replaces everything at the next start' }),
    restored: restoreReport.nullable().meta({ description: 'The last restore, until its report is dismissed' }),
    restore_failure: restoreFailure.nullable().meta({ description: 'Why the last restore was undone, until this is dismissed' }),
  }),
});

export const createBackup = route({
  method: 'POST',
  path: '/admin/backup',
  access: 'admin',
  summary:
    'Create a consistent archive in the backup folder while the service is running; responds when it is complete. It contains secrets',
  data: backupSummary.extend({ name: backupName, size: count }),
  errors: ['conflict', 'storage_full'],
});

export const streamBackup = route({
  method: 'GET',
  path: '/admin/backup/stream',
  access: 'admin',
  summary: 'Download a new archive as it is created, without using disk space on the server',
  binary: 'application/x-tar',
  errors: ['conflict', 'cross_site'],
});

const byName = z.object({ name: backupName });

export const downloadBackup = route({
  method: 'GET',
  path: '/admin/backup/files/:name',
  access: 'admin',
  summary: 'Download an archive from the backup folder',
  params: byName,
  binary: 'application/x-tar',
  errors: ['not_found', 'cross_site'],
});

export const deleteBackup = route({
  method: 'DELETE',
  path: '/admin/backup/files/:name',
  access: 'admin',
  summary: 'Delete an archive',
  params: byName,
  data: nothing,
  errors: ['not_found'],
});

export const setBackupSchedule = route({
  method: 'PUT',
  path: '/admin/backup/schedule',
  access: 'admin',
  summary: 'Schedule backups to a folder; each copies only new files. Null turns them off',
  body: z.object({ schedule: backupSchedule.nullable() }),
  data: z.object({ schedule: backupSchedule.nullable() }),
});

export const runScheduledBackup = route({
  method: 'POST',
  path: '/admin/backup/schedule/run',
  access: 'admin',
  summary: 'Run the scheduled backup now',
  data: backupSummary.extend({ snapshot: snapshotName, new_blobs: count }),
  errors: ['conflict', 'storage_full'],
});

const restoring = {
  access: 'admin',
  data: backupSummary.extend({ restart_required: z.literal(true) }),
  errors: ['conflict', 'storage_full'],
} as const;

export const uploadRestore = route({
  ...restoring,
  method: 'POST',
  path: '/admin/restore',
  summary: 'Verify an archive, sent as the body (application/x-tar), for a restore at the next start, which ends all sessions',
});

export const chooseRestore = route({
  ...restoring,
  method: 'POST',
  path: '/admin/restore/choose',
  summary: 'Verify an archive from the backup folder, or a snapshot from the folder of the schedule, for a restore at the next start',
  body: z.union([z.object({ name: backupName }), z.object({ snapshot: snapshotName })]),
});

export const restartToRestore = route({
  method: 'POST',
  path: '/admin/restore/restart',
  access: 'admin',
  summary: 'Restart the service now to finish the pending restore, which ends all sessions; responds before restarting',
  data: nothing,
  errors: ['not_found', 'unavailable'],
});

export const cancelRestore = route({
  method: 'DELETE',
  path: '/admin/restore',
  access: 'admin',
  summary: 'Cancel the pending restore',
  data: nothing,
  errors: ['not_found'],
});

export const dismissRestoreReport = route({
  method: 'DELETE',
  path: '/admin/restore/report',
  access: 'admin',
  summary: 'Dismiss the report of the last restore, or the reason why it was undone',
  data: nothing,
});
