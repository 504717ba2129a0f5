import { AUDIT_DAYS, FAILED_SIGN_IN_DAYS } from '#api/admin/audit.ts';
import type { AuditAction } from '#api/constants.ts';
import { DAY_MS } from '#api/durations.ts';
import { cutText } from '#api/plain-text.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { keysetPage, NEWEST_FIRST, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { AuditRow } from '#server/platform/db/schema/instance.ts';

/** The caller, as the log records it. */
export interface AuditOrigin {
  actorId: number | null;
  actorName: string;
  address: string;
  userAgent: string;
}

export interface AuditEntry {
  action: AuditAction;
  target: string;
  details?: Record<string, unknown>;
}

/** The action of failed sign-ins. */
export const FAILED_SIGN_IN = 'user.sign_in_failed' satisfies AuditAction;

const MAX_CHARACTERS = 300;

/**
 * Records an action. Call it with the `queries` of the unit that performs the action, so that neither exists without
 * the other.
 */
export async function recordAudit(queries: Queries, origin: AuditOrigin, entry: AuditEntry): Promise<void> {
  await queries
    .insertInto('audit')
    .values({
      at: Date.now(),
      actor_id: origin.actorId,
      actor_name: plain(origin.actorName),
      action: entry.action,
      target: plain(entry.target),
      details: JSON.stringify(entry.details ?? {}),
      address: plain(origin.address),
      user_agent: plain(origin.userAgent),
    })
    .execute();
}

/** Clients choose these texts: without control characters they can't forge log lines or confuse a terminal. */
const plain = (text: string) => cutText(text.toWellFormed().replace(/[\p{Cc}\p{Cf}]/gu, ' '), MAX_CHARACTERS);

const FORGET_BATCH = 1_000;

/** Removes a limited number of entries that are past their retention at `now`, and returns the number. */
export function forgetOldAudit(db: WritableDatabase, now: number): Promise<number> {
  return db.write(
    async (queries) =>
      (await forgetBefore(queries, now - AUDIT_DAYS * DAY_MS)) +
      (await forgetBefore(queries, now - FAILED_SIGN_IN_DAYS * DAY_MS, FAILED_SIGN_IN)),
  );
}

/** Entries are in the order of their ids, so the first one to keep is found without reading those after it. */
async function forgetBefore(queries: Queries, oldest: number, action?: string): Promise<number> {
  const entries = queries.selectFrom('audit').$if(action !== undefined, (query) => query.where('action', '=', action ?? ''));
  const kept = await entries.select('id').where('at', '>=', oldest).orderBy('id').limit(1).executeTakeFirst();
  const old = entries
    .select('id')
    .$if(kept !== undefined, (query) => query.where('id', '<', kept?.id ?? 0))
    .orderBy('id')
    .limit(FORGET_BATCH);
  const { numDeletedRows } = await queries.deleteFrom('audit').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}

interface AuditFilters {
  action?: string | undefined;
  actor_id?: number | undefined;
  /** Instants: at or after `from`, before `to`. */
  from?: string | undefined;
  to?: string | undefined;
}

/** The log, newest first. */
export function listAudit(db: Database, { action, actor_id, from, to, ...page }: PageRequest & AuditFilters): Promise<Page<AuditRow>> {
  const query = db.read
    .selectFrom('audit')
    .selectAll()
    .$if(action !== undefined, (entries) => entries.where('action', '=', action ?? ''))
    .$if(actor_id !== undefined, (entries) => entries.where('actor_id', '=', actor_id ?? 0))
    .$if(from !== undefined, (entries) => entries.where('at', '>=', Date.parse(from ?? '')))
    .$if(to !== undefined, (entries) => entries.where('at', '<', Date.parse(to ?? '')));
  return keysetPage(query, NEWEST_FIRST, page);
}
