import type { Queries } from '#server/platform/db/database.ts';
import type { StorageDriver } from '#server/platform/storage/driver.ts';

/** Something that is wrong in a data folder, in sentences. */
export interface Finding {
  problem: string;
  /** What to do when it can't be repaired, or what a repair would do. */
  advice: string;
  /** Repairs it. Absent: nothing can. */
  repair?: { run(): Promise<void>; done: string };
}

/** How much was checked. */
export interface Checked {
  images: number;
  bytes: number;
}

/** The data folder that is checked. */
export interface Subject {
  dataDir: string;
  /** Reads the database, whose schema may be that of an earlier version. */
  read: Queries;
  /** Runs one unit of writing. Only repairs call it. */
  write(work: (queries: Queries) => Promise<unknown>): Promise<void>;
  /** The storages of the policies, by their ids. */
  storages: ReadonlyMap<number, StorageDriver>;
  /** Called with the number of bytes read. */
  onBytes(bytes: number): void;
}
