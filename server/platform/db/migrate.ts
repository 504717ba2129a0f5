import { type Kysely, type Migration, Migrator } from 'kysely';
import { ConfigError } from '#server/platform/config/config.ts';
import * as baseTables from './migrations/001-base-tables.ts';
import * as albums from './migrations/010-albums.ts';
import * as accounts from './migrations/020-accounts.ts';
import * as administration from './migrations/030-administration.ts';
import * as library from './migrations/040-library.ts';
import * as trashCounts from './migrations/050-trash-counts.ts';
import * as uploadKeys from './migrations/060-upload-keys.ts';
import * as expiredInTrash from './migrations/070-expired-in-trash.ts';
import * as trashBatches from './migrations/075-trash-batches.ts';
import * as timeline from './migrations/080-timeline.ts';
import * as descriptiveText from './migrations/090-descriptive-text.ts';
import * as replacedFiles from './migrations/091-replaced-files.ts';
import * as customAddresses from './migrations/092-custom-addresses.ts';
import * as albumDownloads from './migrations/100-album-downloads.ts';
import * as referrers from './migrations/110-referrers.ts';
import * as bytesOfUploadKeys from './migrations/120-bytes-of-upload-keys.ts';
import * as deletionNonces from './migrations/121-deletion-nonces.ts';
import * as searchByOwner from './migrations/122-search-by-owner.ts';
import * as guestStorage from './migrations/123-guest-storage.ts';
import * as signOnTrust from './migrations/130-sign-on-trust.ts';
import * as batchUndos from './migrations/139-batch-undos.ts';
import * as limits from './migrations/150-limits.ts';
import * as twoFactor from './migrations/160-two-factor.ts';
import * as passkeys from './migrations/161-passkeys.ts';
import * as accountDeletions from './migrations/170-account-deletions.ts';
import * as policyMoves from './migrations/180-policy-moves.ts';
import * as leases from './migrations/200-leases.ts';
import * as albumCounts from './migrations/230-album-counts.ts';
import * as searchMarks from './migrations/240-search-marks.ts';
import * as duplicates from './migrations/250-duplicates.ts';
import * as ownTrashBatches from './migrations/260-own-trash-batches.ts';
import * as branding from './migrations/265-branding.ts';
import * as albumExpiry from './migrations/270-album-expiry.ts';
import * as animations from './migrations/271-animations.ts';
import * as albumImages from './migrations/280-album-images.ts';
import * as albumMembers from './migrations/290-album-members.ts';
import * as requestLinks from './migrations/300-request-links.ts';
import * as conversions from './migrations/310-conversions.ts';
import * as imageTexts from './migrations/320-image-texts.ts';
import * as phoneCodes from './migrations/330-phone-codes.ts';
import * as usersTexts from './migrations/340-users-texts.ts';
import * as sendersWithoutSecrets from './migrations/350-senders-without-secrets.ts';
import * as formerSlugs from './migrations/351-former-slugs.ts';
import * as deviceScopes from './migrations/352-device-scopes.ts';
import type { Tables } from './schema/tables.ts';

/** Every step of the schema. Kysely applies them in the order of their names; a published step never changes. */
const MIGRATIONS: Record<string, Migration> = {
  '001-spine': baseTables, // databases contain the name
  '010-albums': albums,
  '020-accounts': accounts,
  '030-administration': administration,
  '040-library': library,
  '050-trash-counts': trashCounts,
  '060-upload-keys': uploadKeys,
  '070-expired-in-trash': expiredInTrash,
  '075-trash-batches': trashBatches,
  '080-timeline': timeline,
  '090-descriptive-text': descriptiveText,
  '091-replaced-files': replacedFiles,
  '092-custom-addresses': customAddresses,
  '100-album-downloads': albumDownloads,
  '110-referrers': referrers,
  '120-bytes-of-upload-keys': bytesOfUploadKeys,
  '121-deletion-nonces': deletionNonces,
  '122-search-by-owner': searchByOwner,
  '123-guest-storage': guestStorage,
  '130-sign-on-trust': signOnTrust,
  '139-batch-undos': batchUndos,
  '150-limits': limits,
  '160-two-factor': twoFactor,
  '161-passkeys': passkeys,
  '170-account-deletions': accountDeletions,
  '180-policy-moves': policyMoves,
  '230-album-counts': albumCounts,
  '240-search-marks': searchMarks,
  '250-duplicates': duplicates,
  '260-own-trash-batches': ownTrashBatches,
  '265-branding': branding,
  '270-album-expiry': albumExpiry,
  '271-animations': animations,
  '280-album-images': albumImages,
  '290-album-members': albumMembers,
  '300-request-links': requestLinks,
  '310-conversions': conversions,
  '320-image-texts': imageTexts,
  '330-phone-codes': phoneCodes,
  '340-users-texts': usersTexts,
  '350-senders-without-secrets': sendersWithoutSecrets,
  '351-former-slugs': formerSlugs,
  '352-device-scopes': deviceScopes,
  '200-leases': leases,
};

/**
 * Brings the schema up to date.
 * @throws ConfigError when the database holds steps that this version does not know
 */
export async function migrate(database: Kysely<Tables>): Promise<void> {
  const applied = await appliedSteps(database);
  requireKnown(applied);
  // As at nearly every start. The migrator would read the schema twice more.
  if (isCurrent(applied)) return;
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => MIGRATIONS } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/**
 * Requires the schema to be up to date, for those that don't change it.
 * @throws ConfigError when it is from an older or a newer version
 */
export async function requireCurrent(database: Kysely<Tables>): Promise<void> {
  const applied = await appliedSteps(database);
  requireKnown(applied);
  if (!isCurrent(applied))
    throw new ConfigError(
      'This data folder is from an older version of Pixdock. Start Pixdock once to bring it up to date, then stop it and try again.',
    );
}

/**
 * Creates the schema in an empty database, and requires any other to be up to date: services of another version may be using it.
 * @throws ConfigError when it is from another version
 */
export async function migrateEmpty(database: Kysely<Tables>): Promise<void> {
  const applied = await appliedSteps(database);
  if (applied.length === 0) return await migrate(database);
  if (!isCurrent(applied))
    throw new ConfigError('The target already contains data from another version of Pixdock. Specify an empty database or folder.');
}

const areKnown = (applied: readonly string[]) => applied.every((name) => name in MIGRATIONS);
const isCurrent = (applied: readonly string[]) => areKnown(applied) && applied.length === Object.keys(MIGRATIONS).length;

function requireKnown(applied: readonly string[]) {
  if (!areKnown(applied))
    throw new ConfigError('This data folder is from a newer version of Pixdock. Install that version, or restore an older backup.');
}

async function appliedSteps(database: Kysely<Tables>): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const rows = await (database as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  return rows.map(({ name }) => name);
}
