import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExpressionBuilder } from 'kysely';
import { z } from 'zod';
import type { RestoreReport } from '#api/admin/backup.ts';
import { extOf, FORMATS, formatsWith, SERVED_EXTS } from '#api/formats.ts';
import { findOwner, toKey } from '#server/core/accounts/users.ts';
import { renewAllDeletionLinks } from '#server/core/images/links.ts';
import { readSettings, writeSettings } from '#server/core/settings/settings.ts';
import { ConfigError } from '#server/platform/config/config.ts';
import { type Database, openDatabase, type Queries, type WritableDatabase } from '#server/platform/db/database.ts';
import { inspectDatabase } from '#server/platform/db/files.ts';
import { readList } from '#server/platform/db/lists.ts';
import { TooOldError } from '#server/platform/db/migrate.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { sentenceOf } from '#server/platform/http/errors/field-sentence.ts';
import { imagesWithoutBlob } from '#server/platform/storage/blob-rows.ts';
import { allBlobs, type StoredBlob } from '#server/platform/storage/stored-blobs.ts';
import { blobId, refuseBackup } from './format.ts';
import { unpackedBlob } from './unpack.ts';

/** What a restore ends or turns off, because it may have been withdrawn since the backup. */
export type Withdrawn = Pick<
  RestoreReport,
  'albums' | 'users' | 'sessions_ended' | 'tokens_revoked' | 'invites_revoked' | 'webhooks_paused' | 'requests_paused' | 'schedule_paused'
>;

/**
 * Verifies and migrates the database of an unpacked backup.
 * @param missing blobs that were lost before the backup was made, as `<policy>/<sha256>`
 * @param sizeOf the size of a blob's file; undefined when there is none
 * @throws RequestError with the reason
 */
export async function openRestored(folder: string, missing: ReadonlySet<string>, sizeOf = unpackedSize(folder)): Promise<Database> {
  const path = join(folder, 'pixdock.db');
  if (!inspectDatabase(path)) throw refuseBackup('its database is damaged');
  const db = await openUpToDate(path);
  try {
    await requireOwnSchema(path, folder);
    await requireSoundRows(path);
    await requireEssentials(db);
    await requireBlobs(db, sizeOf, missing);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function openUpToDate(path: string): Promise<Database> {
  try {
    return await openDatabase(path);
  } catch (error) {
    throw Object.assign(refuseBackup(reasonOf(error)), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof TooOldError) return 'it’s from an early development version of Pixdock, before 0.5';
  return error instanceof ConfigError ? 'it’s from a newer version of Pixdock' : 'its database isn’t from Pixdock';
}

/** An untrusted database may contain triggers and views that run when ours are used, and columns that compute something else. */
async function requireOwnSchema(path: string, folder: string) {
  const fresh = join(folder, 'fresh.db');
  await (await openDatabase(fresh)).close();
  const same = JSON.stringify(inspectDatabase(path)) === JSON.stringify(inspectDatabase(fresh));
  await rm(fresh);
  if (!same) throw refuseBackup('its database contains unexpected objects');
}

/** Anything in an untrusted row may be what a route can't read. */
async function requireSoundRows(path: string) {
  // Loaded here, since making the schemas would delay every start.
  const { findRowFault } = await import('#server/platform/db/check-rows.ts');
  const fault = await findRowFault(path, sentenceOf);
  if (fault) throw refuseBackup(`its table “${fault.table}” isn’t valid (${fault.problem})`);
}

/** What the service takes for granted, and no reference between tables expresses. */
async function requireEssentials({ read }: Database) {
  const groups = await read.selectFrom('groups').select(['kind', 'policy_ids']).execute();
  const policies = new Set((await read.selectFrom('policies').select('id').execute()).map(({ id }) => id));
  if (!(['owner', 'default', 'guest'] as const).every((kind) => groups.some((group) => group.kind === kind)))
    throw refuseBackup('its table “groups” isn’t valid (a built-in group is missing)');
  if (groups.some(({ policy_ids }) => readList<number>(policy_ids).some((id) => !policies.has(id))))
    throw refuseBackup('its table “groups” isn’t valid (policy_ids: a storage policy doesn’t exist)');
  await requireOwner(read);
  await requireSafeWork(read);
  const unknown = await read.selectFrom('images').select('id').where('ext', 'not in', SERVED_EXTS).limit(1).executeTakeFirst();
  if (unknown) throw refuseBackup('its database lists pictures of an unknown format');
}

/** Without an owner who can sign in, nobody could administer the service, nor change that. */
async function requireOwner(queries: Queries) {
  const owner = await findOwner(queries);
  const canSignIn = owner?.role === 'admin' && owner.disabled_at === null && owner.username_key === toKey(owner.username);
  if (!canSignIn) throw refuseBackup('its table “users” isn’t valid (it has no owner who can sign in)');
}

/** What jobs would begin with after the start, unless it has been started properly: it would destroy accounts, or never end. */
async function requireSafeWork(queries: Queries) {
  const deletions = queries.selectFrom('account_deletions').innerJoin('users', 'users.id', 'user_id').select('user_id');
  const isInUse = (row: ExpressionBuilder<Tables, 'users'>) =>
    row.or([row('is_owner', '=', 1), row('disabled_at', 'is', null), row('password_hash', 'is not', null)]);
  if (await deletions.where(isInUse).limit(1).executeTakeFirst())
    throw refuseBackup('its table “account_deletions” isn’t valid (it deletes an account that is in use)');
  const heirs = queries.selectFrom('account_deletions').select('heir_id').where('heir_id', 'is not', null);
  if (await deletions.where('user_id', 'in', heirs.$castTo<{ heir_id: number }>()).limit(1).executeTakeFirst())
    throw refuseBackup('its table “account_deletions” isn’t valid (heir_id: this account is being deleted itself)');
  const moves = queries.selectFrom('policy_moves').select('from_policy');
  if (await moves.where('to_policy', 'in', moves).limit(1).executeTakeFirst())
    throw refuseBackup('its table “policy_moves” isn’t valid (to_policy: pictures move away from this storage policy)');
}

type SizeOf = (blob: StoredBlob) => Promise<number | undefined>;

const unpackedSize =
  (folder: string): SizeOf =>
  async (blob) =>
    (await ifMissing(stat(unpackedBlob(folder, blob)), undefined))?.size;

async function requireBlobs({ read }: Database, sizeOf: SizeOf, missing: ReadonlySet<string>) {
  for await (const blob of allBlobs(read)) {
    if (missing.has(blobId(blob))) continue;
    if ((await sizeOf(blob)) !== blob.size) throw refuseBackup('pictures listed in its database are missing');
  }
  const stray = await imagesWithoutBlob(read).limit(1).executeTakeFirst();
  if (stray) throw refuseBackup('pictures listed in its database are missing');
}

/**
 * Ends and turns off what the admin may have withdrawn since the backup was made: sessions, tokens, invites, deletion links,
 * webhooks, request links and the schedule. Media types follow from the extensions.
 * @throws RequestError with the reason
 */
export async function withdraw(db: WritableDatabase): Promise<Withdrawn> {
  const { backup_schedule: schedule_paused } = await readSettings(db.read).catch((error: unknown) => {
    if (!(error instanceof z.ZodError)) throw error;
    throw Object.assign(refuseBackup('its settings aren’t valid'), { cause: error });
  });
  return db.write(async (queries) => {
    await takeTypesFromExtensions(queries);
    await renewAllDeletionLinks(queries);
    // A forged count could lock everyone out.
    await queries.deleteFrom('limits').execute();
    await queries.deleteFrom('device_requests').execute();
    await queries.deleteFrom('phone_codes').execute();
    const report = {
      albums: await countAll(queries, 'albums'),
      users: await countAll(queries, 'users'),
      sessions_ended: await removeAll(queries.deleteFrom('sessions')),
      tokens_revoked: await removeAll(queries.deleteFrom('tokens')),
      invites_revoked: await removeAll(queries.deleteFrom('invites').where('used_at', 'is', null)),
      webhooks_paused: await pauseWebhooks(queries),
      requests_paused: await pauseRequests(queries),
      schedule_paused,
    };
    await writeSettings(queries, { backup_schedule: null, backup_drill: null });
    return report;
  });
}

async function countAll(queries: Queries, table: 'albums' | 'users'): Promise<number> {
  const { count } = await queries
    .selectFrom(table)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

async function removeAll(deletion: { executeTakeFirst(): Promise<{ numDeletedRows: bigint }> }): Promise<number> {
  return Number((await deletion.executeTakeFirst()).numDeletedRows);
}

/** Events that waited when the backup was made are never sent: their receivers have had them, or must not have them. */
async function pauseWebhooks(queries: Queries) {
  const enabled = await queries.selectFrom('webhooks').select(['id', 'name', 'url']).where('enabled', '=', 1).orderBy('id').execute();
  await queries.updateTable('webhooks').set({ enabled: 0 }).execute();
  await queries
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', last_error: 'A backup was restored before this was sent.' })
    .where('state', '=', 'pending')
    .execute();
  return enabled;
}

/** A link may have been ended since; its senders may still have it. */
async function pauseRequests(queries: Queries): Promise<number> {
  const open = queries.updateTable('request_links').set({ paused_at: Date.now() }).where('paused_at', 'is', null);
  return Number((await open.executeTakeFirst()).numUpdatedRows);
}

async function takeTypesFromExtensions(queries: Queries) {
  for (const name of formatsWith('shown')) {
    const mime = FORMATS[name].types[0];
    await queries.updateTable('images').set({ mime }).where('ext', '=', extOf(name)).where('mime', '<>', mime).execute();
  }
}
