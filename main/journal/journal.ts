import { DAY_MS } from '#api/durations.ts';
import { type Batches, createBatches } from './batches.ts';
import { erase, openDatabase, transaction } from './database.ts';
import { createEvents, type Events } from './events.ts';
import { createFolders, type Folders } from './folders.ts';
import { createItems, type Items } from './items.ts';
import { createSeen, type SeenFiles } from './seen.ts';

/** How long ended uploads stay listed. */
const RETENTION_DAYS = 7;
/** Events kept per watch folder. */
const MAX_FOLDER_EVENTS = 50_000;

/** The app's durable memory of its uploads. No other folder contains SQL, and each table has one module that writes it. */
export interface Journal {
  items: Items;
  batches: Batches;
  folders: Folders;
  seen: SeenFiles;
  events: Events;
  /** Runs changes in one commit. */
  commit<T>(work: () => T): T;
  /** A fact about the queue, such as that it is paused. */
  fact(name: string): string | undefined;
  setFact(name: string, value: string): void;
  forgetFact(name: string): void;
  /** Removes the traces of what was deleted from the files of the journal. */
  erase(): void;
  close(): void;
}

/** Opens the journal and puts back what was being sent when the app ended. @throws Error see {@link openDatabase} */
export function openJournal(file: string, now: () => number = Date.now): Journal {
  const db = openDatabase(file);
  const events = createEvents(db, now);
  const seen = createSeen(db, now, events);
  const items = createItems(db, now, seen, events);
  const batches = createBatches(db, now);
  items.recover();
  events.prune(MAX_FOLDER_EVENTS);
  const pruneBefore = now() - RETENTION_DAYS * DAY_MS;
  transaction(db, () => {
    items.prune(pruneBefore);
    batches.prune(pruneBefore);
  });
  erase(db); // a crash may have prevented it
  return {
    items,
    batches,
    folders: createFolders(db, now),
    seen,
    events,
    commit: (work) => transaction(db, work),
    fact(name) {
      const value = db.prepare('SELECT value FROM facts WHERE name = ?').get(name)?.value;
      return typeof value === 'string' ? value : undefined;
    },
    setFact: (name, value) =>
      void db.prepare('INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value').run(name, value),
    forgetFact: (name) => void db.prepare('DELETE FROM facts WHERE name = ?').run(name),
    erase: () => erase(db),
    close: () => db.close(),
  };
}
