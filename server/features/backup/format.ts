import { z } from 'zod';
import { RequestError } from '#server/platform/base/errors.ts';
import type { BlobRef } from '#server/platform/storage/blob-rows.ts';

/**
 * The parts of a backup, in this order: `manifest.json`, `pixdock.db` (a snapshot), `secrets.json`, one file
 * `blobs/<policy>/<sha256>` per blob in the snapshot, and `end.json`, without which it is incomplete.
 */
export const FORMAT = 'pixdock-backup';
export const FORMAT_VERSION = 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const bytes = z.int().min(0);

export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  format_version: z.literal(FORMAT_VERSION),
  pixdock_version: z.string(),
  created_at: z.iso.datetime(),
  /** Files that let anyone who reads them act as this server and its users. */
  sensitive: z.array(z.string()),
  database: z.object({ sha256, size: bytes }),
  secrets: z.object({ sha256, size: bytes }),
  images: bytes,
  blobs: z.object({ count: bytes, bytes }),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const endSchema = z.object({
  blobs: bytes,
  bytes,
  /** Blobs that were lost before the backup was made, or couldn't be read, as `<policy>/<sha256>`. An archive may contain one of the latter, with zeros. */
  missing: z.array(z.string()),
});
export type End = z.infer<typeof endSchema>;

/** Maximum size of the manifest, the secrets and the end record. */
export const MAX_JSON_BYTES = 16 * 1024 * 1024;

/** The name of a blob in a backup's list of those that it lacks. */
export const blobId = ({ policyId, sha256: hash }: BlobRef) => `${policyId}/${hash}`;
export const blobPath = (blob: BlobRef) => `blobs/${blobId(blob)}`;

const BLOB_PATH = /^blobs\/([1-9]\d{0,8})\/([0-9a-f]{64})$/;

/** The blob at a path in a backup; undefined for other paths. */
export function blobOfPath(path: string): BlobRef | undefined {
  const [, policyId, hash] = BLOB_PATH.exec(path) ?? [];
  return policyId && hash ? { policyId: Number(policyId), sha256: hash } : undefined;
}

/** A name derived from the time of a backup: `20261121-041500`. */
export const stampOf = (time: Date) => time.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);

export const NO_BACKUP = 'This backup no longer exists. Reload the list.';

/** The refusal of a file that isn't a backup, or is damaged or forged. */
export function refuseBackup(reason: string): RequestError {
  return new RequestError('invalid_request', `This backup can’t be restored: ${reason}.`);
}
