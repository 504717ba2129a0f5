import type { Database, Queries } from '#server/platform/db/database.ts';
import { readSettings, type Settings, writeSettings } from './settings.ts';

/** The settings in memory, since every request reads them without waiting (decision 056). Every change must go through here. */
export interface SettingsStore {
  current(): Settings;
  change(changes: Partial<Settings>): Promise<void>;
  /** Changes settings in one unit of writing with `work`. */
  changeWith<T>(changes: Partial<Settings>, work: (queries: Queries) => Promise<T>): Promise<T>;
}

export async function createSettings(db: Database): Promise<SettingsStore> {
  let settings = await readSettings(db.read);

  async function changeWith<T>(changes: Partial<Settings>, work: (queries: Queries) => Promise<T>): Promise<T> {
    const result = await db.write(async (queries) => {
      await writeSettings(queries, changes);
      return work(queries);
    });
    settings = await readSettings(db.read);
    return result;
  }

  return {
    current: () => settings,
    change: (changes) => changeWith(changes, async () => undefined),
    changeWith,
  };
}
