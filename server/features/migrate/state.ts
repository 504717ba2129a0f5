import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ConfigError } from '#server/platform/config/config.ts';
import { clearTables, isUnused } from '#server/platform/db/copy-tables.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { markIncomplete, readIncomplete } from '#server/platform/db/incomplete.ts';

const schema = z.object({
  id: z.string(),
  /** What is copied, and where pictures go: a migration is resumed only as it was begun. */
  course: z.string(),
  /** The last file that was dealt with. */
  file: z.object({ policyId: z.number(), sha256: z.string() }).optional(),
  /** How many files were missing or damaged so far. */
  lost: z.number(),
});

/** Where a migration stands, apart from the rows, which show that themselves. Kept in the target until it is complete. */
export type State = z.infer<typeof schema>;

/** The state of an interrupted migration; undefined: there is none, or it has copied nothing yet. @throws ConfigError when it was another one */
export async function findState(target: Database, course: string): Promise<State | undefined> {
  const text = await readIncomplete(target.read);
  if (text === undefined) return undefined;
  const state = schema.parse(JSON.parse(text));
  if (state.course === course) return state;
  if (!(await isUnused(target.read)))
    throw new ConfigError(
      'The target contains an interrupted migration from another source or with other options. Resume that one, or specify an empty database.',
    );
  return undefined;
}

/** @throws ConfigError when the target already contains something */
export async function requireUnused(queries: Queries): Promise<void> {
  if (!(await isUnused(queries)))
    throw new ConfigError(
      'The target already contains accounts or pictures. If you were resuming an interrupted migration, it had already finished, and you can start Pixdock; otherwise, specify an empty database or folder.',
    );
}

export const newState = (course: string): State => ({ id: randomUUID(), course, lost: 0 });

/** Empties the target. @throws ConfigError when a service has stored something in it meanwhile */
export const beginState = (target: WritableDatabase, state: State): Promise<void> =>
  target.write(async (queries) => {
    await requireUnused(queries);
    await clearTables(queries);
    await markIncomplete(queries, JSON.stringify(state));
  });

export const saveState = (target: WritableDatabase, state: State): Promise<void> =>
  target.write((queries) => markIncomplete(queries, JSON.stringify(state)));
