import { type Kysely, type Migration, Migrator } from 'kysely';
import { ConfigError } from '#server/platform/config/config.ts';
import type { Tables } from './schema/tables.ts';
import { up as addTeams } from './steps/001-teams.ts';
import { up as addSent } from './steps/002-sent.ts';
import { up as addVideos } from './steps/003-videos.ts';
import { up as addOldAddresses } from './steps/004-old-addresses.ts';
import { up as sortNames } from './steps/005-names.ts';
import { isDevelopment, isLastDevelopment, takeOver } from './take-over.ts';

type Steps = Readonly<Record<string, Migration>>;

/** Creates everything. */
const FIRST_STEP = '000-tables';

/**
 * What brings databases of earlier releases up to date, by name: `001-…`, `002-…`. New databases are created from the declarations in
 * `schema/`, and never run a step. A published step never changes. CONTRIBUTING.md says how to add one.
 */
export const STEPS: Steps = {
  '001-teams': { up: addTeams },
  '002-sent': { up: addSent },
  '003-videos': { up: addVideos },
  '004-old-addresses': { up: addOldAddresses },
  '005-names': { up: sortNames },
};

/** The database is from before 0.5, the first release. */
export class TooOldError extends ConfigError {
  constructor() {
    super(
      'This data is from an early development version of Pixdock, which this version can’t read. Open it once with the last development version before 0.5, or specify another data folder or database.',
    );
  }
}

/**
 * Brings the schema up to date.
 * @throws ConfigError when the database holds steps that this version does not know
 */
export async function migrate(database: Kysely<Tables>, steps = STEPS): Promise<void> {
  let applied = await appliedSteps(database);
  if (isLastDevelopment(applied)) {
    await takeOver(database, FIRST_STEP, Object.keys(steps));
    applied = await appliedSteps(database);
  }
  requireKnown(applied, steps);
  // As at nearly every start. The migrator would read the schema twice more.
  if (isCurrent(applied, steps)) return;
  const later = applied.length > 0 ? steps : Object.fromEntries(Object.keys(steps).map((name) => [name, { up: async () => undefined }]));
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => ({ [FIRST_STEP]: { up: create }, ...later }) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** Loaded here, since making the checks of rows would delay every start. */
const create = async (database: Kysely<Tables>) => (await import('./create.ts')).createSchema(database);

/**
 * Requires the schema to be up to date, for those that don't change it.
 * @throws ConfigError when it is from an older or a newer version
 */
export async function requireCurrent(database: Kysely<Tables>): Promise<void> {
  const applied = await appliedSteps(database);
  if (!isLastDevelopment(applied)) requireKnown(applied);
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

const isKnown = (name: string, steps: Steps) => name === FIRST_STEP || name in steps;
const isCurrent = (applied: readonly string[], steps = STEPS) =>
  applied.every((name) => isKnown(name, steps)) && applied.length === Object.keys(steps).length + 1;

function requireKnown(applied: readonly string[], steps = STEPS) {
  if (isDevelopment(applied)) throw new TooOldError();
  if (!applied.every((name) => isKnown(name, steps)))
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
