import type { Generated, Selectable } from 'kysely';

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

/** Which bytes are stored where. A row outlives its file by a moment at most, never the other way round. */
export interface BlobsTable {
  policy_id: number;
  sha256: string;
  size: number;
  /** When the last image that used it went; null while one does. */
  unused_since: number | null;
}
