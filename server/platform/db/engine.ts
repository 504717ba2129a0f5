import type { Kysely, RawBuilder } from 'kysely';
import type { Tables } from './schema/tables.ts';
import type { Owner, SearchEntry, SearchTerms } from './search-text.ts';

/** The cause of a failed statement, which decides between 4xx, 503 and 507. */
export type DatabaseFault = 'unique' | 'busy' | 'unavailable' | 'full' | 'damaged' | 'other';

/** How much a unit of writing changes. */
export interface UnitSize {
  /** Only a few rows, however large the tables are, so that the unit's undo data can be kept in memory (decision 107). */
  isSmall: boolean;
}

/** An open database, before its schema is brought up to date. */
export interface Connections {
  /** Reads committed data; writing through it fails. */
  read: Kysely<Tables>;
  /** For migrations. */
  writer: Kysely<Tables>;
  /**
   * Runs `work` in one transaction, while no other one writes, and resolves once it is committed; then sends the messages to all other
   * processes. It may run `work` again after a fault.
   */
  transact<T>(work: (queries: Kysely<Tables>) => Promise<{ value: T; messages: string[] }>, size: UnitSize): Promise<T>;
  /**
   * Resolves once all commits so far are durable, also those of earlier processes.
   * @throws the system's error; the commits remain, and the next transaction or call makes up for it
   */
  flush(): Promise<void>;
  onAnnouncement(listener: (message: string | undefined) => void): void;
  /** Calls `listener` after each commit of this process that has changed rows of images, with their keys; undefined: too many to list. */
  onImagesChanged(listener: (keys: ReadonlySet<string> | undefined) => void): void;
  /** A number that changes with each commit, by this process or another; undefined while commits of others go unnoticed. */
  version(): number | undefined;
  /**
   * Copies the state of the database at one moment into a new SQLite file, while reading and writing continue.
   * @param create creates an SQLite file with the same tables
   */
  snapshot(path: string, create: (path: string) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Everything in which the engines differ. */
export interface Engine {
  /** Whether several services may use one database at the same time. */
  readonly isShared: boolean;
  /** @throws ConfigError with a sentence when the database can't be used */
  open(target: string): Promise<Connections>;
  /** The fault behind an error; undefined when the error isn't this engine's. */
  faultOf(error: unknown): DatabaseFault | undefined;
  /** The name and version of the database, for display. */
  describe(queries: Kysely<Tables>): Promise<string>;
  /** The size of the database in bytes. */
  sizeOf(queries: Kysely<Tables>): Promise<number>;
  yearOf(column: string): RawBuilder<string>;
  /** Puts images into the search index, in place of what it has of them. */
  storeSearchEntries(queries: Kysely<Tables>, entries: readonly SearchEntry[]): Promise<void>;
  /** Merges some of the parts that writing leaves in the search index; returns false once there is nothing to merge. */
  mergeSearchIndex(queries: Kysely<Tables>): Promise<boolean>;
  /** The column with the ids of images that {@link searchMatches} selects. */
  readonly searchId: string;
  /** Queries that together select the images of these owners that meet every term. */
  searchMatches(terms: SearchTerms, owners: readonly Owner[]): RawBuilder<unknown>[];
  /** Runs `work`, which inserts rows into a table, without running the table's triggers. */
  withoutTriggers(queries: Kysely<Tables>, table: string, work: () => Promise<void>): Promise<void>;
  /** The highest number that a table with automatically numbered rows has assigned; undefined: none, or it has no such rows. */
  lastNumber(queries: Kysely<Tables>, table: string): Promise<number | undefined>;
  /** Has a table number new rows from `last` + 1. */
  continueNumbering(queries: Kysely<Tables>, table: string, last: number): Promise<void>;
}
