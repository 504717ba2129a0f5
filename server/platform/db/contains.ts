import { type RawBuilder, sql } from 'kysely';

/** The condition that a column contains a text; `%` and `_` in it mean themselves. Compare keys (`toKey`) with keys. */
export function contains(column: string, text: string): RawBuilder<boolean> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`;
}
