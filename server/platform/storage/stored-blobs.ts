import { createHash } from 'node:crypto';
import type { Queries } from '#server/platform/db/database.ts';
import type { BlobRef } from './blob-rows.ts';
import type { StorageDriver } from './driver.ts';

/** A blob as the database lists it. */
export interface StoredBlob extends BlobRef {
  size: number;
}

const PAGE = 500;

/** The blobs that a database refers to, in a stable order, starting after `previous`. */
export async function* allBlobs(read: Queries, previous: BlobRef = { policyId: 0, sha256: '' }): AsyncGenerator<StoredBlob> {
  let after = { policy_id: previous.policyId, sha256: previous.sha256 };
  for (;;) {
    const rows = await read
      .selectFrom('blobs')
      .select(['policy_id', 'sha256', 'size'])
      .where((row) => row(row.refTuple('policy_id', 'sha256'), '>', row.tuple(after.policy_id, after.sha256)))
      .orderBy('policy_id')
      .orderBy('sha256')
      .limit(PAGE)
      .execute();
    for (const { policy_id, sha256, size } of rows) yield { policyId: policy_id, sha256, size };
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last;
  }
}

/** Reads a blob from its storage, not from a copy. @param onBytes called with the number of bytes read @throws BlobMissingError */
export async function digestBlob(
  storage: StorageDriver,
  sha256: string,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<{ size: number; sha256: string }> {
  const { size, stream } = await storage.open(sha256, { uncached: true });
  const hash = createHash('sha256');
  for await (const chunk of stream()) {
    hash.update(chunk as Buffer);
    onBytes((chunk as Buffer).length);
  }
  return { size, sha256: hash.digest('hex') };
}
