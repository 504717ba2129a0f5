import type { Passkey } from '#api/auth/passkeys.ts';
import { type AuditOrigin, recordAudit } from '#server/core/journal/audit.ts';
import { RequestError, requireFound } from '#server/platform/base/errors.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import type { Opaque } from '#server/platform/config/opaque.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { NewPasskeyRow, PasskeyRow, UserRow } from '#server/platform/db/schema/accounts.ts';

const MAX_PASSKEYS = 20;
const GONE = 'This passkey no longer exists. Reload the page.';

export function presentPasskey({ id, name, host, created_at, last_used_at }: PasskeyRow, opaque: Opaque): Passkey {
  return { id: opaque.of('passkey', id), name, host, created_at: toInstant(created_at), last_used_at: toInstant(last_used_at) };
}

export function passkeysOf(queries: Queries, userId: number): Promise<PasskeyRow[]> {
  return queries.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute();
}

/** @throws RequestError `conflict` for one that is known already, or too many */
export function insertPasskey(
  db: WritableDatabase,
  { username }: UserRow,
  passkey: NewPasskeyRow,
  origin: AuditOrigin,
): Promise<PasskeyRow> {
  return db.write(async (queries) => {
    const known = await queries.selectFrom('passkeys').select('id').where('credential_id', '=', passkey.credential_id).executeTakeFirst();
    if (known) throw new RequestError('conflict', 'This passkey has already been added.', { problem: 'passkey_known' });
    if ((await passkeysOf(queries, passkey.user_id)).length >= MAX_PASSKEYS)
      throw new RequestError('conflict', `An account can have at most ${MAX_PASSKEYS} passkeys. Remove one first.`, {
        problem: 'too_many_passkeys',
        limit: MAX_PASSKEYS,
      });
    await recordAudit(queries, origin, { action: 'user.passkey_added', target: username, details: { name: passkey.name } });
    return queries.insertInto('passkeys').values(passkey).returningAll().executeTakeFirstOrThrow();
  });
}

/** Renames a user's own passkey. @throws NotFoundError */
export async function renamePasskey(db: WritableDatabase, userId: number, id: number, name: string): Promise<PasskeyRow> {
  const renamed = await db.write((queries) =>
    queries.updateTable('passkeys').set({ name }).where('id', '=', id).where('user_id', '=', userId).returningAll().executeTakeFirst(),
  );
  return requireFound(renamed, GONE);
}

/** Removes a user's own passkey. @throws NotFoundError */
export async function removePasskey(
  db: WritableDatabase,
  { id: userId, username }: UserRow,
  id: number,
  origin: AuditOrigin,
): Promise<void> {
  await db.write(async (queries) => {
    const removed = await queries
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returningAll()
      .executeTakeFirst();
    const { name } = requireFound(removed, GONE);
    await recordAudit(queries, origin, { action: 'user.passkey_removed', target: username, details: { name } });
  });
}
