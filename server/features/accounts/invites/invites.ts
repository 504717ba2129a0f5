import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { hashSecret, randomKey } from '#server/platform/base/secret-text.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { keysetPage, NEWEST_FIRST, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { InviteRow } from '#server/platform/db/schema/accounts.ts';

export interface InviteOptions {
  note: string;
  email: string | null;
  groupId: number | null;
  /** Seconds. */
  expiresIn: number;
}

const CODE_LENGTH = 24;

/**
 * Creates an invite; `code` is shown only once.
 * @throws InvalidRequestError for a group that doesn't exist or that new accounts can't join
 */
export async function createInvite(
  db: WritableDatabase,
  options: InviteOptions,
  origin: AuditOrigin,
): Promise<{ row: InviteRow; code: string }> {
  const code = randomKey(CODE_LENGTH);
  const row = await db.write(async (queries) => {
    if (options.groupId !== null) await requireJoinable(queries, options.groupId);
    const invite = await insertInvite(queries, options, hashSecret(code), Date.now());
    const { id, note, email } = invite;
    await recordAudit(queries, origin, { action: 'invite.created', target: email ?? note, details: { id } });
    return invite;
  });
  return { row, code };
}

function insertInvite(
  queries: Queries,
  { note, email, groupId, expiresIn }: InviteOptions,
  code_hash: string,
  now: number,
): Promise<InviteRow> {
  return queries
    .insertInto('invites')
    .values({
      code_hash,
      note,
      email,
      group_id: groupId,
      created_at: now,
      expires_at: now + expiresIn * 1000,
      used_at: null,
      used_by: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function requireJoinable(queries: Queries, groupId: number) {
  const group = await queries.selectFrom('groups').select('kind').where('id', '=', groupId).executeTakeFirst();
  if (!group || group.kind === 'guest' || group.kind === 'owner')
    throw new InvalidRequestError('New accounts can’t join this group. Choose another one.', {
      field: 'group_id',
      problem: 'not_available',
    });
}

/** Invites, newest first, used and expired ones too. */
export function listInvites(db: Database, page: PageRequest): Promise<Page<InviteRow>> {
  return keysetPage(db.read.selectFrom('invites').selectAll(), NEWEST_FIRST, page);
}

/** Removes an invite; an account created with it stays. False when there is none with that id. */
export function deleteInvite(db: WritableDatabase, id: number, origin: AuditOrigin): Promise<boolean> {
  return db.write(async (queries) => {
    const removed = await queries.deleteFrom('invites').where('id', '=', id).returning(['email', 'note']).executeTakeFirst();
    if (removed) await recordAudit(queries, origin, { action: 'invite.deleted', target: removed.email ?? removed.note, details: { id } });
    return removed !== undefined;
  });
}

/** The invite with a code, if it can still be used. */
export function findOpenInvite(queries: Queries, code: string, now: number): Promise<InviteRow | undefined> {
  return queries
    .selectFrom('invites')
    .selectAll()
    .where('code_hash', '=', hashSecret(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Marks an invite as used, inside the unit of writing that found it open. */
export async function spendInvite(queries: Queries, { id, userId, now }: { id: number; userId: number; now: number }): Promise<void> {
  await queries.updateTable('invites').set({ used_at: now, used_by: userId }).where('id', '=', id).execute();
}
