import type { RestoreFailure, RestoreReport } from '#api/admin/backup.ts';
import { several } from '#server/platform/base/several.ts';

/** The report of a restore in sentences, for the terminal and the log. */
export function describeRestore(report: RestoreReport): string {
  const { images, albums, users, missing, tokens_revoked, invites_revoked, webhooks_paused, requests_paused, schedule_paused } = report;
  const revoked = list([several(tokens_revoked, 'API token'), several(invites_revoked, 'open invite')], tokens_revoked, invites_revoked);
  const paused = list(
    [several(webhooks_paused.length, 'webhook'), 'automatic backups'],
    webhooks_paused.length,
    schedule_paused === null ? 0 : 1,
  );
  return [
    `Restored the backup from ${report.created_at}: ${several(images, 'picture')}, ${several(albums, 'album')}, ${several(users, 'user')}.`,
    missing > 0 && `When it was created, the files for ${several(missing, 'picture')} were already missing.`,
    'Everyone has to sign in again.',
    revoked && `Revoked: ${revoked}.`,
    requests_paused > 0 && `Paused until their owners resume them: ${several(requests_paused, 'request link')}.`,
    paused && `Turned off until you turn them on again under Administration → Backup: ${paused}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Why a restore was undone, in sentences. */
export function describeFailure({ created_at, reason }: RestoreFailure): string {
  return `Pixdock couldn’t start from the backup made at ${created_at}, so the previous data is back in place. ${reason}`;
}

/** The texts whose number isn't 0. */
function list(texts: readonly string[], ...counts: number[]): string {
  return texts.filter((_, index) => counts[index]).join(' and ');
}
