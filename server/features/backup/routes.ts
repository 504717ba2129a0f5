import { finished, PassThrough, type Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { RestoreReport } from '#api/admin/backup.ts';
import * as api from '#api/admin/backup.ts';
import type { AuditAction } from '#api/constants.ts';
import { auditOrigin } from '#server/core/accounts/actor.ts';
import type { Context } from '#server/core/context.ts';
import { recordAudit } from '#server/core/journal/audit.ts';
import { bind, bindBinary, type Call } from '#server/core/routes.ts';
import { NotFoundError, RequestError } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { requireOwnSite } from '#server/platform/http/headers/origin-check.ts';
import { onLateBody } from '#server/platform/http/limits/bodies.ts';
import { type Backups, listBackups, openBackup, type RunningBackup, removeBackup, requireBackupFolder } from './backups.ts';
import { folderEntries } from './folder-entries.ts';
import { stampOf } from './format.ts';
import { listSnapshots } from './incremental.ts';
import { cancelRestore, pendingRestore } from './pending.ts';
import { type CheckStart, prepareRestore } from './restore.ts';
import { type BackupEntry, tarEntries } from './unpack.ts';

const NOT_IN_FOLDER =
  'Backups can’t be restored into the database set by PIXDOCK_DATABASE_URL. Restore this one on a server without that variable, restart it once, stop it, and run `pixdock migrate --to <URL of an empty database> --storage s3://…` with its data folder.';
const NO_RESTORE = 'No restore is pending.';

export const backupRoutes = ({
  backups,
  config,
  db,
  settings,
  diskReserve,
  log,
  restart,
  checkStart,
}: Context & { backups: Backups; checkStart: CheckStart }) => {
  const { dataDir } = config;
  let preparing = false;
  const audit = (call: Pick<Call<typeof api.getBackups>, 'actor' | 'request'>, action: AuditAction, target: string) =>
    // What has happened is recorded, whatever has become of the caller meanwhile.
    db.as('note').write((queries) => recordAudit(queries, auditOrigin(call), { action, target }));

  /** @param open opens the backup, once it's certain that it will be read */
  async function restore(
    call: Pick<Call<typeof api.getBackups>, 'actor' | 'caller' | 'request'>,
    open: () => AsyncIterable<BackupEntry> | Promise<AsyncIterable<BackupEntry>>,
    from: string,
  ) {
    if (config.databaseUrl) throw new RequestError('conflict', NOT_IN_FOLDER, { problem: 'no_restore_here' });
    if (preparing)
      throw new RequestError('conflict', 'Another backup is being checked. Wait until that’s done.', { problem: 'backup_being_checked' });
    preparing = true;
    try {
      const room = (bytes: number) => diskReserve.require(dataDir, bytes);
      const summary = await prepareRestore(dataDir, await open(), room, checkStart, () => call.caller.confirm(db.read));
      await audit(call, 'backup.restore_prepared', from);
      return { ...summary, restart_required: true as const };
    } finally {
      preparing = false;
    }
  }

  return [
    bind(api.getBackups, async () => {
      const { backup_schedule: schedule, backup_drill: drill, restore_report, restore_failure } = settings.current();
      const { folder: _, ...pending } = (await pendingRestore(dataDir)) ?? { folder: '' };
      return {
        files: (await listBackups(dataDir)).map(presentBackup),
        running: presentRunning(backups.running()),
        schedule,
        snapshots: schedule ? await listSnapshots(schedule.folder) : [],
        restore: 'created_at' in pending ? pending : null,
        drill: schedule && drill,
        restored: restore_report && (await stillPaused(db.read, restore_report, schedule)),
        restore_failure,
      };
    }),

    bind(api.createBackup, async (call) => {
      const made = await backups.create();
      await audit(call, 'backup.created', made.name);
      return made;
    }),

    bindBinary(api.streamBackup, async ({ actor, request, response }) => {
      requireOwnSite(request);
      await audit({ actor, request }, 'backup.streamed', '');
      const begin = (createdAt: Date) => {
        response.setHeader('Content-Type', api.streamBackup.binary);
        response.setHeader('Content-Disposition', contentDisposition(`pixdock-${stampOf(createdAt)}.tar`));
      };
      await backups.stream(response, begin).catch((error) => {
        if (!response.headersSent && !response.closed) throw error;
        log.error({ err: error }, 'a backup was interrupted');
        response.destroy();
      });
    }),

    bindBinary(api.downloadBackup, async ({ params, request, response }) => {
      requireOwnSite(request);
      const { size, stream } = await openBackup(dataDir, params.name);
      response.setHeader('Content-Type', api.downloadBackup.binary);
      response.setHeader('Content-Disposition', contentDisposition(params.name));
      response.setHeader('Content-Length', size);
      response.once('close', () => stream.destroy());
      stream.once('error', () => response.destroy());
      stream.pipe(response);
    }),

    bind(api.deleteBackup, async (call) => {
      await removeBackup(dataDir, call.params.name);
      await audit(call, 'backup.deleted', call.params.name);
      return {};
    }),

    bind(api.setBackupSchedule, async (call) => {
      const { schedule } = call.body;
      if (schedule) await requireBackupFolder(dataDir, schedule.folder);
      await settings.change(call.caller, { backup_schedule: schedule });
      await audit(call, 'backup.schedule_changed', schedule?.folder ?? '');
      return { schedule };
    }),

    bind(api.runScheduledBackup, () => backups.runSchedule()),

    bind(api.uploadRestore, (call) => restore(call, () => tarEntries(bodyOf(call)), 'an uploaded archive')),

    bind(api.chooseRestore, async (call) => {
      if ('name' in call.body) {
        const { name } = call.body;
        return restore(call, async () => tarEntries((await openBackup(dataDir, name)).stream), name);
      }
      const folder = settings.current().backup_schedule?.folder;
      if (!folder) throw new NotFoundError('Automatic backups are off, so there’s no folder to restore from.');
      const { snapshot } = call.body;
      return restore(call, () => folderEntries(folder, snapshot), snapshot);
    }),

    bind(api.restartToRestore, async ({ response }) => {
      if (!(await pendingRestore(dataDir))) throw new NotFoundError(NO_RESTORE);
      if (!restart)
        throw new RequestError('unavailable', 'The service can’t restart itself here. Restart it manually, the same way you started it.');
      // A kept-alive connection would delay the shutdown.
      response.setHeader('Connection', 'close');
      response.once('close', restart);
      return {};
    }),

    bind(api.cancelRestore, async (call) => {
      if (!(await cancelRestore(dataDir))) throw new NotFoundError(NO_RESTORE);
      await audit(call, 'backup.restore_cancelled', '');
      return {};
    }),

    bind(api.dismissRestoreReport, async ({ caller }) => {
      await settings.change(caller, { restore_report: null, restore_failure: null });
      return {};
    }),
  ];
};

/** The body of a request. Destroying it leaves the request intact, so that the client still gets a response. */
function bodyOf({ request, response }: Pick<Call<typeof api.uploadRestore>, 'request' | 'response'>): Readable {
  const body = new PassThrough();
  finished(request, { writable: false }, (error) => {
    if (error) body.destroy(error);
  });
  onLateBody(response, (error) => body.destroy(error));
  request.pipe(body);
  return body;
}

function presentBackup({ name, size, createdAt }: { name: string; size: number; createdAt: Date }) {
  return { name, size, created_at: createdAt.toISOString() };
}

function presentRunning(running: RunningBackup | undefined) {
  if (!running) return null;
  return { started_at: toInstant(running.startedAt), bytes: running.bytes, total_bytes: running.totalBytes };
}

/** The report without what an admin has turned on again. */
async function stillPaused(queries: Queries, report: RestoreReport, schedule: api.BackupSchedule | null): Promise<RestoreReport> {
  const off = await queries.selectFrom('webhooks').select('id').where('enabled', '=', 0).execute();
  const ids = new Set(off.map(({ id }) => id));
  return {
    ...report,
    webhooks_paused: report.webhooks_paused.filter(({ id }) => ids.has(id)),
    schedule_paused: schedule ? null : report.schedule_paused,
  };
}
