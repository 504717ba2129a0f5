import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '#server/platform/config/config.ts';

/** Where a service keeps its data. */
export interface Place {
  /** Absolute path. */
  dataDir: string;
  /** URL of a database that takes the place of the one in the data folder. */
  databaseUrl?: string | undefined;
}

/** The database of a place, as `openDatabase` takes it: a path or a URL. */
export const databaseOf = ({ dataDir, databaseUrl }: Place): string => databaseUrl ?? join(dataDir, 'pixdock.db');

/** The same, where a database file must exist already. @throws ConfigError with a sentence */
export function requireDatabase(place: Place): string {
  const database = databaseOf(place);
  if (!place.databaseUrl && !existsSync(database))
    throw new ConfigError(`${place.dataDir} isn’t a Pixdock data folder: it has no pixdock.db. Specify the right one.`);
  return database;
}
