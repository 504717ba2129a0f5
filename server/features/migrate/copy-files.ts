import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { ConfigError } from '#server/platform/config/config.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { Place } from '#server/platform/db/location.ts';
import { usesBlob } from '#server/platform/storage/blob-rows.ts';
import { BlobMissingError, type StorageDriver } from '#server/platform/storage/driver.ts';
import { openStaging, type Staging, toWritable } from '#server/platform/storage/staging.ts';
import { allBlobs, digestBlob, type StoredBlob } from '#server/platform/storage/stored-blobs.ts';
import type { Amounts, Reporting } from './reporting.ts';
import { type State, saveState } from './state.ts';
import type { Move } from './storages.ts';

const AT_ONCE = 8;

interface Job {
  source: Database;
  target: WritableDatabase;
  moves: ReadonlyMap<number, Move>;
  to: Place;
  state: State;
  signal: AbortSignal;
  reporting: Reporting;
}

/**
 * Copies the files of all policies that move, from where an interrupted migration stopped. Each is compared with its hash when it is read,
 * and once more in its new place.
 * @returns `lost`: how many pictures' files are missing or damaged in the source, and therefore missing in the target
 */
export async function copyFiles(job: Job): Promise<{ files: number; lost: number }> {
  const { source, target, moves, reporting, state, signal } = job;
  const total = await measure(source.read, [...moves.keys()]);
  let { lost } = state;
  if (total.files === 0) return { files: 0, lost };
  reporting.onStart('files', total);
  const staging = openStaging(join(job.to.dataDir, 'tmp'));
  const copyAll = async (batch: StoredBlob[]) => {
    signal.throwIfAborted();
    const results = await Promise.allSettled(batch.map((blob) => copyFile(job, blob, staging)));
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason;
      if (!result.value) lost++;
    }
    const last = batch.at(-1);
    if (last) await saveState(target, { ...state, lost, file: { policyId: last.policyId, sha256: last.sha256 } });
  };
  let batch: StoredBlob[] = [];
  for await (const blob of allBlobs(source.read, state.file)) {
    if (!moves.has(blob.policyId)) continue;
    batch.push(blob);
    if (batch.length < AT_ONCE) continue;
    await copyAll(batch);
    batch = [];
  }
  await copyAll(batch);
  return { files: total.files, lost };
}

async function measure(read: Queries, policies: number[]): Promise<Amounts> {
  return await read
    .selectFrom('blobs')
    .select([sql<number>`count(*)`.as('files'), sql<number>`coalesce(sum(size), 0)`.as('size')])
    .where('policy_id', 'in', policies)
    .executeTakeFirstOrThrow();
}

/** Returns false when a picture's file is missing or damaged. */
async function copyFile({ source, moves, reporting }: Job, blob: StoredBlob, staging: Staging): Promise<boolean> {
  const { from, to } = moves.get(blob.policyId) as Move;
  await using copy = await staging.create();
  const isRead = await readInto(from, blob.sha256, toWritable(copy));
  const file = isRead ? await copy.finish() : undefined;
  reporting.onProgress({ files: 1, size: blob.size });
  const image = await source.read
    .selectFrom('images')
    .select(['key', 'name', 'mime', 'sha256'])
    .where(usesBlob(blob))
    .limit(1)
    .executeTakeFirst();
  if (file?.sha256 !== blob.sha256) {
    if (!image) return true; // of a deleted picture
    const what = file ? 'is damaged' : 'is missing';
    reporting.onLost(
      `${from.nameOf(blob.sha256)}, the file for “${image.name}” (${image.key}), ${what}. It wasn’t copied; restore it from a backup.`,
    );
    return false;
  }
  await to.store(blob.sha256, file, image?.sha256 === blob.sha256 ? image.mime : undefined);
  if ((await digestBlob(to, blob.sha256)).sha256 !== blob.sha256)
    throw new ConfigError(`${to.nameOf(blob.sha256)} isn’t what was stored there. Check this storage, then run the same command again.`);
  return true;
}

async function readInto(from: StorageDriver, sha256: string, writable: NodeJS.WritableStream): Promise<boolean> {
  try {
    const opened = await from.open(sha256, { uncached: true });
    await pipeline(opened.stream(), writable);
    return true;
  } catch (error) {
    if (error instanceof BlobMissingError) return false;
    throw error;
  }
}
