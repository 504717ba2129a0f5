import type { Logger } from 'pino';
import { type Author, announce, type Database, type Queries } from '#server/platform/db/database.ts';
import { readSettings, type Settings, writeSettings } from './settings.ts';

/** The settings in memory, since every request reads them without waiting (decision 056). Every change must go through here. */
export interface SettingsStore {
  current(): Settings;
  change(author: Author, changes: Partial<Settings>): Promise<void>;
  /** Changes settings in one unit of writing with `work`. */
  changeWith<T>(author: Author, changes: Partial<Settings>, work: (queries: Queries) => Promise<T>): Promise<T>;
}

/** What other services on the database are told after a change. */
const CHANGED = 'settings';
const RETRY_MS = 500;

export async function createSettings(db: Database, log: Pick<Logger, 'warn'>): Promise<SettingsStore> {
  let settings: Settings;
  let reads = 0;
  let shown = 0;

  async function read() {
    const number = ++reads;
    const latest = await readSettings(db.read);
    // One that began later may have ended earlier.
    if (number < shown) return;
    shown = number;
    settings = latest;
  }

  async function follow(): Promise<void> {
    await read().catch((error: unknown) => {
      log.warn({ err: error }, 'changed settings can’t be read; trying again');
      setTimeout(() => void follow(), RETRY_MS).unref();
    });
  }

  // A change is in effect once it is committed, durable or not.
  db.onAnnouncement((message) => {
    if (message === undefined || message === CHANGED) void follow();
  }, 'committed');
  await read();

  async function changeWith<T>(author: Author, changes: Partial<Settings>, work: (queries: Queries) => Promise<T>): Promise<T> {
    const result = await db.as(author).write(async (queries) => {
      await writeSettings(queries, changes);
      announce(queries, CHANGED);
      return work(queries);
    });
    await read(); // in case that takes longer than the flush
    return result;
  }

  return {
    current: () => settings,
    change: (author, changes) => changeWith(author, changes, async () => undefined),
    changeWith,
  };
}
