import type { Database } from '#server/platform/db/database.ts';
import { readSettings, type Settings, writeSettings } from './settings.ts';

/** The settings, always at hand. */
export interface SettingsStore {
  current(): Settings;
  change(changes: Partial<Settings>): Promise<Settings>;
  /** Reads them anew after they were written together with something else. */
  reload(): Promise<void>;
}

export async function createSettings(db: Database): Promise<SettingsStore> {
  let settings = await readSettings(db.read);
  const reload = async () => {
    settings = await readSettings(db.read);
  };
  return {
    current: () => settings,
    async change(changes) {
      await db.write((queries) => writeSettings(queries, changes));
      await reload();
      return settings;
    },
    reload,
  };
}
