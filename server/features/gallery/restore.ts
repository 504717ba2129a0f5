import type { BatchResult } from '#api/images/changes.ts';
import { groupById } from '#server/core/accounts/groups.ts';
import { type AskedExpiry, expiryOf, requireExpiryWithin } from '#server/core/images/asked-expiry.ts';
import { isExpired, ownImages } from '#server/core/images/images.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { exchangeFiles } from './versions.ts';

/** Images of a user that one action changes. */
export interface OwnRows {
  ownerId: number;
  rows: readonly ImageRow[];
  now: number;
}

/** The new expiry of expired images; absent: none, or the group's default where it has a limit. */
interface Restoring extends AskedExpiry {
  /** Refuse expired images. */
  expiredStay?: boolean | undefined;
  /** Also restore images that their senders removed. */
  include_removed?: boolean | undefined;
  /** Also put previous versions back behind the links of their pictures. */
  include_versions?: boolean | undefined;
}

/**
 * Takes a user's images out of the trash, and returns why each one wasn't, if it wasn't. Expired ones get a new expiry, or none; all others
 * keep theirs. The previous version of a picture exchanges its file with that picture, which also leaves the trash if it's there.
 * @throws RequestError `expires_over_group`
 */
export async function restoreImages(
  queries: Queries,
  { ownerId, rows, now }: OwnRows,
  { expiredStay, include_removed, include_versions, ...asked }: Restoring,
): Promise<Map<string, BatchResult['code']>> {
  const trashed = rows.filter(({ deleted_at }) => deleted_at !== null);
  const pictures = await picturesOf(queries, ownerId, trashed);
  const latest = latestVersions(trashed);
  const refusalOf = (row: ImageRow): BatchResult['code'] => {
    const picture = pictures.get(row);
    if (picture) return include_versions && latest.has(row) ? refusalOf(picture) : 'previous_version';
    if (row.trash_reason === 'removed' && !include_removed) return 'removed_by_sender';
    return row.emptied_at !== null || (expiredStay === true && isExpired(row, now)) ? 'expired' : undefined;
  };
  const allowed = trashed.filter((row) => refusalOf(row) === undefined);
  const byId = new Map(allowed.map((row) => pictures.get(row) ?? row).map((row) => [row.id, row]));
  const restored = [...byId.values()].filter((row) => row.deleted_at !== null || isExpired(row, now));
  const expired = restored.filter((row) => isExpired(row, now));
  const others = restored.filter((row) => !isExpired(row, now));
  const expires_at = expired.length > 0 ? await newExpiry(queries, ownerId, asked, now) : null;
  await takeOut(queries, expired, { updated_at: now, expires_at });
  await takeOut(queries, others, { updated_at: now });
  for (const earlier of allowed) {
    const image = pictures.get(earlier);
    if (image) await exchangeFiles(queries, { image, earlier, now });
  }
  return new Map(trashed.map((row) => [row.key, refusalOf(row)]));
}

/** The pictures that previous versions belong to, as far as they still exist. */
async function picturesOf(queries: Queries, ownerId: number, rows: readonly ImageRow[]): Promise<Map<ImageRow, ImageRow>> {
  const versions = rows.filter(isVersion);
  if (versions.length === 0) return new Map();
  const keys = versions.map(({ version_of }) => version_of ?? '');
  const pictures = await ownImages(queries, ownerId, 'key', keys).where('emptied_at', 'is', null).execute();
  const byKey = new Map(pictures.map((picture) => [picture.key, picture]));
  return new Map(
    versions.flatMap((row) => {
      const picture = byKey.get(row.version_of ?? '');
      return picture ? [[row, picture]] : [];
    }),
  );
}

/** Of each picture, the version that was replaced last: only one can be behind its links. */
function latestVersions(rows: readonly ImageRow[]): Set<ImageRow> {
  const latest = new Map<string | null, ImageRow>();
  for (const row of rows.filter(isVersion).sort((a, b) => (a.deleted_at ?? 0) - (b.deleted_at ?? 0) || a.id - b.id))
    latest.set(row.version_of, row);
  return new Set(latest.values());
}

/** What a replacement put into the trash. A version that was restored as a picture of its own and then deleted is an ordinary picture. */
const isVersion = ({ trash_reason, version_of }: ImageRow) => trash_reason === 'replaced' && version_of !== null;

async function takeOut(queries: Queries, rows: readonly ImageRow[], columns: { updated_at: number; expires_at?: number | null }) {
  if (rows.length === 0) return;
  tellImages(queries, 'image.changed', rows);
  await queries
    .updateTable('images')
    // What was a version is a picture of its own from now on.
    .set({ ...columns, deleted_at: null, trash_reason: null, trash_batch: null, version_of: null })
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
}

/** Like an upload that names no expiry, a restored image gets what its owner's group asks for (decision 006). */
async function newExpiry(queries: Queries, ownerId: number, asked: AskedExpiry, now: number): Promise<number | null> {
  const { group_id } = await queries.selectFrom('users').select('group_id').where('id', '=', ownerId).executeTakeFirstOrThrow();
  const group = await groupById(queries, group_id);
  requireExpiryWithin(group, asked, now);
  const cap = group.max_expires_in;
  const usual = cap > 0 ? now + (group.default_expires_in || cap) * 1000 : null;
  return expiryOf(asked, now) ?? usual;
}
