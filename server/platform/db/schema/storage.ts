import type { Generated, Selectable } from 'kysely';
import { z } from 'zod';
import { type ExtOf, extOf, type FormatWith, formatsWith } from '#api/formats.ts';
import { count, flag, id, instant, number, object, type RowOf, sha256, text } from './columns.ts';

/** Where and how images are stored and processed. */
export interface PoliciesTable {
  id: Generated<number>;
  name: string;
  driver: 'local' | 's3';
  /** JSON, for the driver: `{"folder": "/absolute/path"}`, `{}` for the data folder, or the settings of a bucket. */
  config: string;
  keep_metadata: 0 | 1;
  /** Images are scaled down to this longest side, in pixels; 0 keeps their size. */
  max_side: number;
  /** The format that images are converted to; null keeps their format. */
  convert_to: ExtOf<FormatWith<'policy'>> | null;
  /** 1–100, for images that are re-encoded. */
  quality: number;
  heic_to: ExtOf<FormatWith<'policy for HEIC'>>;
  /** `max-age` of public links; from a year on also `immutable`. */
  cache_seconds: number;
  created_at: number;
}
export type PolicyRow = Selectable<PoliciesTable>;
export const policiesRows = z.strictObject({
  id,
  name: text,
  driver: z.enum(['local', 's3']),
  config: object,
  keep_metadata: flag,
  max_side: count,
  convert_to: z.enum(formatsWith('policy').map(extOf)).nullable(),
  quality: z.int().min(1).max(100),
  heic_to: z.enum(formatsWith('policy for HEIC').map(extOf)),
  cache_seconds: count,
  created_at: instant,
}) satisfies RowOf<PoliciesTable>;

/** Moves of all images of a policy to another one, in the order of their hashes. */
export interface PolicyMovesTable {
  from_policy: number;
  to_policy: number;
  /** The last file that was dealt with. */
  after_sha256: string;
  moved: number;
  /** Files of this pass that are missing or damaged. */
  lost: number;
  /** Why the last attempt failed, as a sentence. */
  fault: string | null;
}
export type PolicyMoveRow = Selectable<PolicyMovesTable>;
export const policyMovesRows = z.strictObject({
  from_policy: id,
  to_policy: id,
  after_sha256: sha256.or(z.literal('')),
  moved: number,
  lost: number,
  fault: text.nullable(),
}) satisfies RowOf<PolicyMovesTable>;

/** The stored files. A row may briefly outlive its file, never the other way round. */
export interface BlobsTable {
  policy_id: number;
  sha256: string;
  size: number;
  /** When the last image using it was deleted; null while it is in use. */
  unused_since: number | null;
}
export const blobsRows = z.strictObject({
  policy_id: id,
  sha256,
  size: number,
  unused_since: instant.nullable(),
}) satisfies RowOf<BlobsTable>;
