import { ConfigError, type ServiceConfig } from '#server/platform/config/config.ts';
import { fingerprintOf, loadSecrets, type Secrets } from '#server/platform/config/secrets.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';

/** Not a setting that admins see: the secrets that the database was made with. */
const ROW = 'secrets_fingerprint';

/**
 * Opens the secrets of a data folder. Services that share a database must have the same, since they read what others have encrypted and
 * signed; a data folder with its own database may get new ones, which only ends its sessions.
 * @throws ConfigError with a sentence
 */
export async function openSecrets(db: WritableDatabase, config: Pick<ServiceConfig, 'dataDir' | 'secrets'>): Promise<Secrets> {
  const known = await readFingerprint(db.read);
  const secrets = await loadSecrets(config.dataDir, { given: config.secrets, mayCreate: !db.isShared || known === undefined });
  const own = fingerprintOf(secrets);
  if (known === own) return secrets;
  await db.write(async (queries) => {
    const latest = await readFingerprint(queries);
    if (db.isShared && latest !== undefined && latest !== own) throw otherSecrets(config.dataDir);
    const value = JSON.stringify(own);
    await queries
      .insertInto('settings')
      .values({ name: ROW, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  });
  return secrets;
}

async function readFingerprint(queries: Queries): Promise<string | undefined> {
  const row = await queries.selectFrom('settings').select('value').where('name', '=', ROW).executeTakeFirst();
  return row && (JSON.parse(row.value) as string);
}

const otherSecrets = (dataDir: string) =>
  new ConfigError(
    `The database belongs to a service whose secrets differ from those in ${dataDir}. Remove its secrets.json, and set PIXDOCK_SECRETS to the path or the base64 content of that service’s secrets.json.`,
  );
