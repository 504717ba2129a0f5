import { z } from 'zod';
import { extOf, formatsWith } from '#api/formats.ts';
import {
  count,
  flag,
  idOf,
  instant,
  integer,
  number,
  numbered,
  object,
  oneOf,
  type RowOf,
  sha256,
  sha256OrNone,
  table,
  text,
} from './columns.ts';

export const storage = {
  /** Where and how images are stored and processed. */
  policies: table({
    id: numbered,
    name: text(),
    driver: oneOf(['local', 's3']),
    /** JSON, for the driver: `{"folder": "/absolute/path"}`, `{}` for the data folder, or the settings of a bucket. */
    config: object,
    keep_metadata: flag,
    /** Images are scaled down to this longest side, in pixels; 0 keeps their size. */
    max_side: count,
    /** The format that images are converted to; null keeps their format. */
    convert_to: oneOf(formatsWith('policy').map(extOf)).nullable(),
    /** 1–100, for images that are re-encoded. */
    quality: integer(z.int().min(1).max(100)),
    heic_to: oneOf(formatsWith('policy for HEIC').map(extOf)),
    /** `max-age` of public links; from a year on also `immutable`. */
    cache_seconds: count,
    created_at: instant,
  }),

  /** Moves of all images of a policy to another one, in the order of their hashes. */
  policy_moves: table(
    {
      from_policy: idOf('policies', 'cascade'),
      to_policy: idOf('policies', 'cascade'),
      /** The last file that was dealt with. */
      after_sha256: sha256OrNone,
      moved: number,
      /** Files of this pass that are missing or damaged. */
      lost: number,
      /** Why the last attempt failed, as a sentence. */
      fault: text().nullable(),
    },
    { key: ['from_policy'] },
  ),

  /** The stored files. A row may briefly outlive its file, never the other way round. */
  blobs: table(
    {
      policy_id: idOf('policies'),
      sha256,
      size: number,
      /** When the last image using it was deleted; null while it is in use. */
      unused_since: instant.nullable(),
    },
    { key: ['policy_id', 'sha256'], indexes: { blobs_unused: { columns: ['unused_since'], where: 'unused_since is not null' } } },
  ),
};

export type PolicyRow = RowOf<typeof storage.policies>;
export type PolicyMoveRow = RowOf<typeof storage.policy_moves>;
