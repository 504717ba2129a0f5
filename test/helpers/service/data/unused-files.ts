import { HOUR_MS } from '#api/durations.ts';
import type { TestService } from '#test/helpers/service/service.ts';
import { onPostgres } from './database.ts';
import { withDatabase } from './users.ts';

/** How long unused files stay in a database's storage at least: another service may be storing the same (decision 088). */
export const UNUSED_KEPT_MS = onPostgres ? 12 * HOUR_MS : 0;

/** Lets {@link UNUSED_KEPT_MS} pass for the files that are unused. */
export function ageUnusedFiles(service: TestService): Promise<void> {
  return withDatabase(service, async (db) => {
    await db.as('job').write((queries) =>
      queries
        .updateTable('blobs')
        .set((row) => ({ unused_since: row('unused_since', '-', UNUSED_KEPT_MS) }))
        .where('unused_since', 'is not', null)
        .execute(),
    );
  });
}
