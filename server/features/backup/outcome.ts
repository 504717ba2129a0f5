import type { RestoreFailure, RestoreReport } from '#api/admin/backup.ts';
import type { Context } from '#server/core/context.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { describeFailure } from './describe.ts';
import { finishRestore, type Settled } from './swap.ts';

type Sources = Pick<Context, 'config' | 'settings' | 'log'>;

/** The origin of what the service records without a request. */
export const BY_ITSELF: AuditOrigin = { actorId: null, actorName: '', address: '', userAgent: '' };

/** The former data is back: keeps the reason where admins see it, before the restore is forgotten. */
export async function noteFailure({ config, settings, log }: Sources, failure: RestoreFailure): Promise<void> {
  const { created_at, reason } = failure;
  await settings.changeWith('start', { restore_failure: failure }, (queries) =>
    recordAudit(queries, BY_ITSELF, { action: 'backup.restore_failed', target: created_at, details: { reason } }),
  );
  await finishRestore(config.dataDir);
  log.error({ reason, backup: created_at }, describeFailure(failure));
}

/** Notes that the service has started with restored data, which is final from here on. Returns the report. */
export async function noteRestored({ config, settings, log }: Sources, settled: Settled | undefined): Promise<RestoreReport | undefined> {
  if (!settled?.applied) return undefined;
  const { restore_report } = settings.current();
  const report = restore_report && { ...restore_report, restored_at: new Date().toISOString() };
  await settings.changeWith('start', { restore_report: report }, (queries) =>
    recordAudit(queries, BY_ITSELF, { action: 'backup.restored', target: report?.created_at ?? '' }),
  );
  await finishRestore(config.dataDir);
  log.warn({ replaced: settled.applied, ...report }, 'a backup was restored; what it replaced is kept for a week');
  return report ?? undefined;
}
