import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Context } from '#server/core/context.ts';
import { openSnapshot } from '#server/platform/db/database.ts';
import { nameOf } from '#server/platform/storage/blob-rows.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import { allBlobs, type StoredBlob } from '#server/platform/storage/stored-blobs.ts';
import { FORMAT, FORMAT_VERSION, type Manifest } from './format.ts';

type Sources = Pick<Context, 'config' | 'db' | 'blobs' | 'staging' | 'version' | 'log'>;

/** A consistent state of all data, frozen while it is copied. */
export interface BackupSource {
  manifest: Manifest;
  /** The snapshot of the database. */
  database: string;
  secrets: Buffer;
  /** Every blob in the snapshot. */
  blobs(): AsyncGenerator<StoredBlob>;
  /**
   * The bytes of a blob; undefined when they are lost, can't be read or have the wrong size.
   * Ends with {@link UnreadableBlobError} where the rest can't be read.
   */
  open(blob: StoredBlob): Promise<Readable | undefined>;
}

/** A file of its own that can't be read, which must not keep all others out of a backup. */
export class UnreadableBlobError extends Error {
  override name = 'UnreadableBlobError';
}

/** Faults of one file, unless the disk has them everywhere. */
const FILE_FAULTS: unknown[] = ['EIO', 'EBADMSG', 'EUCLEAN', 'EACCES', 'EPERM', 'EISDIR'];
/** From this many unreadable files in a row on, the disk is to blame, and the backup fails. */
const MAX_IN_A_ROW = 10;

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
  const { blobs, config, version, log } = sources;
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
    let inARow = 0;
    const unreadable = (blob: StoredBlob, error: unknown) => {
      if (!FILE_FAULTS.includes((error as NodeJS.ErrnoException).code) || ++inARow >= MAX_IN_A_ROW) return error;
      log.error({ err: error, blob: nameOf(blob) }, 'the file of a picture can’t be read; backups are made without it');
      return new UnreadableBlobError('a file can’t be read', { cause: error });
    };
    async function* bytesOf(blob: StoredBlob, stream: Readable) {
      try {
        yield* stream;
      } catch (error) {
        throw unreadable(blob, error);
      }
      inARow = 0;
    }
    const open = async (blob: StoredBlob) => {
      const driver = await blobs.driverOf(blob.policyId);
      const stream = openBlob(driver, blob.sha256, blob.size);
      if (driver.isRemote) return stream;
      const opened = await stream.catch((error: unknown) => {
        const reason = unreadable(blob, error);
        if (reason instanceof UnreadableBlobError) return undefined;
        throw reason;
      });
      return opened && Readable.from(bytesOf(blob, opened), { objectMode: false });
    };
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
