import type { Generated, Selectable } from 'kysely';
import type { Queries } from '#server/platform/db/database.ts';

/** Where images are stored and what is done to them on the way in. */
export interface PoliciesTable {
  id: Generated<number>;
  name: string;
  driver: 'local';
  /** JSON, for the driver: `{"folder": "/absolute/path"}`, or `{}` for the data folder. */
  config: string;
  keep_metadata: 0 | 1;
  /** Pictures are made smaller to this longest side, in pixels; 0 leaves them. */
  max_side: number;
  /** Format that pictures are converted to; null leaves them. */
  convert_to: 'jpg' | 'png' | 'webp' | null;
  /** 1–100, where something is encoded. */
  quality: number;
  heic_to: 'jpg' | 'webp';
  /** `max-age` of public links; from a year on also `immutable`. */
  cache_seconds: number;
  created_at: number;
}
export type PolicyRow = Selectable<PoliciesTable>;

export function policyById(queries: Queries, id: number): Promise<PolicyRow | undefined> {
  return queries.selectFrom('policies').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The folder of a local policy; undefined: `blobs/` of the data folder. */
export function folderOf({ config }: Pick<PolicyRow, 'config'>): string | undefined {
  return (JSON.parse(config) as { folder?: string }).folder;
}
