import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Context } from '#server/core/context.ts';
import { openSnapshot } from '#server/platform/db/database.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import { allBlobs, type StoredBlob } from '#server/platform/storage/stored-blobs.ts';
import { FORMAT, FORMAT_VERSION, type Manifest } from './format.ts';

type Sources = Pick<Context, 'config' | 'db' | 'blobs' | 'staging' | 'version'>;

/** A consistent state of all data, frozen while it is copied. */
export interface BackupSource {
  manifest: Manifest;
  /** The snapshot of the database. */
  database: string;
  secrets: Buffer;
  /** Every blob in the snapshot. */
  blobs(): AsyncGenerator<StoredBlob>;
  /** The bytes of a blob; undefined when they are lost or have the wrong size. */
  open(blob: StoredBlob): Promise<Readable | undefined>;
}

/**
 * Runs `use` on a snapshot of the database while no blob is removed: everything that the snapshot refers to exists until the
 * end, and uploads continue.
 */
export function withBackupSource<T>(sources: Sources, use: (source: BackupSource) => Promise<T>): Promise<T> {
  const { blobs, db, staging } = sources;
  return blobs.withoutRemovals(async () => {
    await using database = staging.reservePath();
    await db.snapshot(database.path);
    return await withOpen(sources, database.path, use);
  });
}

async function withOpen<T>(sources: Sources, database: string, use: (source: BackupSource) => Promise<T>): Promise<T> {
  const { blobs, config, version } = sources;
  const secrets = await readFile(join(config.dataDir, 'secrets.json'));
  const snapshot = openSnapshot(database);
  try {
    const sums = await snapshot.read
      .selectFrom('blobs')
      .select((row) => [row.fn.countAll<number>().as('count'), row.fn.coalesce(row.fn.sum<number>('size'), row.lit(0)).as('bytes')])
      .executeTakeFirstOrThrow();
    const { images } = await snapshot.read
      .selectFrom('images')
      .select((row) => row.fn.countAll<number>().as('images'))
      .executeTakeFirstOrThrow();
    const manifest: Manifest = {
      format: FORMAT,
      format_version: FORMAT_VERSION,
      pixdock_version: version,
      created_at: new Date().toISOString(),
      sensitive: ['secrets.json', 'pixdock.db'],
      database: { sha256: await hashFile(database), size: (await stat(database)).size },
      secrets: { sha256: createHash('sha256').update(secrets).digest('hex'), size: secrets.length },
      images,
      blobs: { count: sums.count, bytes: sums.bytes },
    };
    const open = async ({ policyId, sha256, size }: StoredBlob) => openBlob(await blobs.driverOf(policyId), sha256, size);
    return await use({ manifest, database, secrets, blobs: () => allBlobs(snapshot.read), open });
  } finally {
    await snapshot.close();
  }
}

async function openBlob(driver: Awaited<ReturnType<Context['blobs']['driverOf']>>, sha256: string, size: number) {
  try {
    const blob = await driver.open(sha256, { uncached: true });
    if (blob.size === size) return blob.stream();
    await blob.close();
    return undefined;
  } catch (error) {
    if (error instanceof BlobMissingError) return undefined;
    throw error;
  }
}

/**
 * SHA-256 of a file, as 64 hex digits.
 * @param onBytes called with the size of each part that was read
 */
async function hashFile(path: string, onBytes?: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 512 * 1024 })) {
    hash.update(chunk as Buffer);
    onBytes?.((chunk as Buffer).length);
  }
  return hash.digest('hex');
}
