import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import { IDEMPOTENCY_DAYS } from '#api/constants.ts';
import { DAY_MS } from '#api/durations.ts';
import type { UploadFields } from '#api/images/upload.ts';
import { verifyPassword } from '#server/core/accounts/passwords.ts';
import { isDeleted } from '#server/core/images/access.ts';
import { GUESTS } from '#server/core/journal/daily-counts.ts';
import type { HashTurn } from '#server/platform/admission/hashing.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { networkOf } from '#server/platform/base/network-of.ts';
import { compileOnce } from '#server/platform/db/compile-once.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import { hashTurnOf, type Uploader, type UploadResult } from './uploader.ts';

/** An upload that its client has given a key, to repeat it safely (decision 058). */
export interface KeyedUpload {
  /** Whose key it is: keys of different accounts, guests' networks and request links are independent. */
  owner: { user_id: number; network: string; key: string };
  request_sha256: string;
  password: string | undefined;
  /** Its turn to have the password checked. */
  turn: HashTurn;
}

/**
 * Identifies an upload by its client's key, if it has one.
 * @param content the SHA-256 of the received bytes, or the address to fetch them from
 */
export function identifyUpload(
  uploader: Uploader,
  key: string | undefined,
  content: string,
  fields: UploadFields & Record<string, unknown>,
): KeyedUpload | undefined {
  if (key === undefined) return undefined;
  const owner = { ...ownerOfKeys(uploader), key };
  // A fast hash must not cover the password: it would be easier to guess than the stored one.
  const { access_password: password, ...rest } = fields;
  const options = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const request_sha256 = createHash('sha256')
    .update(JSON.stringify([content, options]))
    .digest('hex');
  return { owner, request_sha256, password, turn: hashTurnOf(uploader) };
}

/** A request link takes the place of the network: its keys are neither those of its owner nor those of guests. */
function ownerOfKeys({ user, address, through }: Pick<Uploader, 'user' | 'address' | 'through'>) {
  if (!user) return { user_id: GUESTS, network: networkOf(address) };
  return { user_id: user.id, network: through ? `request ${through.linkId}` : '' };
}

/** Whether a key has been recorded, whatever was uploaded with it. */
export async function isKnownKey(
  queries: Queries,
  uploader: Pick<Uploader, 'user' | 'address' | 'through'>,
  key: string,
): Promise<boolean> {
  return (await ofOwner(queries, { ...ownerOfKeys(uploader), key })).rows.length > 0;
}

/**
 * The result of an earlier attempt, whatever has become of the image's expiry, password or view limit.
 * @throws RequestError `idempotency_conflict` if the key belongs to another upload, `deleted` if the image is gone, `replaced` if it
 * has another file
 */
export async function findKeyedUpload(
  queries: Queries,
  { owner, request_sha256, password, turn }: KeyedUpload,
): Promise<UploadResult | undefined> {
  const {
    rows: [known],
  } = await ofOwner(queries, owner);
  if (!known) return undefined;
  if (known.request_sha256 !== request_sha256 || !(await isSamePassword(known.password_hash, password, turn)))
    throw new RequestError(
      'idempotency_conflict',
      'This Idempotency-Key was used for a different picture or different options. Use a new key for a new upload.',
    );
  const row = await queries.selectFrom('images').selectAll().where('id', '=', known.image_id).executeTakeFirst();
  if (!row || isDeleted(row) || row.owner_id !== (owner.user_id || null))
    throw new RequestError(
      'deleted',
      'This picture was uploaded earlier and has since been deleted. Upload it again to keep it (programs must send a new Idempotency-Key).',
    );
  if (row.sha256 !== known.image_sha256)
    throw new RequestError(
      'replaced',
      'This picture was uploaded earlier, and its file has since been replaced. Upload it again to keep both (programs must send a new Idempotency-Key).',
    );
  return { row, reused: true, isOwn: known.reused === 0 };
}

const ofOwner = compileOnce((queries, owner: KeyedUpload['owner']) =>
  queries
    .selectFrom('upload_keys')
    .selectAll()
    .where((row) => row.and(owner)),
);

async function isSamePassword(stored: string | null, password: string | undefined, turn: HashTurn): Promise<boolean> {
  if (password === undefined || stored === null) return password === undefined && stored === null;
  return verifyPassword(stored, password, turn);
}

/** Records the key of an upload; call it in the unit that inserts the image. */
export async function recordUploadKey(
  queries: Queries,
  { owner, request_sha256 }: KeyedUpload,
  { row, reused }: UploadResult,
  password_hash: string | null,
): Promise<void> {
  await insertKey(queries, {
    ...owner,
    request_sha256,
    password_hash,
    image_id: row.id,
    image_sha256: row.sha256,
    reused: reused ? 1 : 0,
    created_at: Date.now(),
  });
}

const insertKey = compileOnce((queries, row: Insertable<Tables['upload_keys']>) => queries.insertInto('upload_keys').values(row));

const FORGET_BATCH = 1_000;

/** Removes a limited number of keys that are past their retention at `now`, and returns the number. */
export function forgetUploadKeys(db: WritableDatabase, now: number): Promise<number> {
  return db.write(async (queries) => {
    const old = queries
      .selectFrom('upload_keys')
      .select('id')
      .where('created_at', '<', now - IDEMPOTENCY_DAYS * DAY_MS)
      .orderBy('created_at')
      .limit(FORGET_BATCH);
    const { numDeletedRows } = await queries.deleteFrom('upload_keys').where('id', 'in', old).executeTakeFirst();
    return Number(numDeletedRows);
  });
}
