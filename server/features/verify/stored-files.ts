import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RequestError } from '#server/platform/base/errors.ts';
import { several } from '#server/platform/base/several.ts';
import { isMissing } from '#server/platform/files/missing.ts';
import { type BlobRef, usesBlob } from '#server/platform/storage/blob-rows.ts';
import { BlobMissingError, type StorageDriver } from '#server/platform/storage/driver.ts';
import { allBlobs, digestBlob, type StoredBlob } from '#server/platform/storage/stored-blobs.ts';
import type { Finding, Subject } from './finding.ts';

/** Below the data folder: files that a repair has moved aside. */
const ASIDE = 'set-aside';
const MAX_NAMES = 3;

/** Checks every file that the database lists: it exists and has the right contents, and a picture uses it. */
export async function* checkStoredFiles(subject: Subject): AsyncGenerator<Finding> {
  const unreachable = new Set<number>();
  for await (const blob of allBlobs(subject.read)) if (!unreachable.has(blob.policyId)) yield* checkReachable(subject, blob, unreachable);
}

/** One storage that can't be reached must not keep the others from being checked. */
async function* checkReachable(subject: Subject, blob: StoredBlob, unreachable: Set<number>): AsyncGenerator<Finding> {
  try {
    yield* checkBlob(subject, blob);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    unreachable.add(blob.policyId);
    yield unreachableFinding(subject, blob.policyId);
  }
}

function unreachableFinding({ storages }: Subject, policyId: number): Finding {
  return {
    problem: `${storages.get(policyId)?.location}, the bucket of a storage policy, can’t be reached, so its pictures weren’t checked.`,
    advice: 'Check the object store and the network, then verify again.',
  };
}

/** The size and hash of a stored blob; undefined when it is missing. @throws RequestError when its storage can't be reached */
export async function contentsOf({ onBytes }: Subject, storage: StorageDriver, sha256: string) {
  try {
    return await digestBlob(storage, sha256, onBytes);
  } catch (error) {
    if (error instanceof BlobMissingError) return undefined;
    throw error;
  }
}

async function* checkBlob(subject: Subject, blob: StoredBlob): AsyncGenerator<Finding> {
  const storage = subject.storages.get(blob.policyId);
  if (storage === undefined) return; // reported as a broken reference
  const path = storage.nameOf(blob.sha256);
  const stats = await contentsOf(subject, storage, blob.sha256);
  const what = await describeUsers(subject, blob);
  // A crash while the service deletes a file can leave its row, which the next start removes.
  if (what.count === 0 && (await isLeaving(subject, blob))) return;
  const lost = 'Restore it from a backup, or delete the pictures that use it.';
  if (!stats) yield { problem: `${path}${what.suffix} is missing.`, advice: lost };
  else if (stats.sha256 !== blob.sha256)
    yield { problem: `${path}${what.suffix} is damaged: its contents don’t match its name.`, advice: lost };
  else if (stats.size !== blob.size)
    yield {
      problem: `${path} is ${several(stats.size, 'byte')} long, but the database says ${several(blob.size, 'byte')}.`,
      advice: '--repair corrects the database.',
      repair: { done: 'Corrected the database.', run: () => setSize(subject, blob, stats.size) },
    };
  if (stats && what.count === 0)
    yield {
      problem: `${path} isn’t used by any picture.`,
      advice: 'With --repair, the service will delete it.',
      repair: { done: 'The service will delete it.', run: () => release(subject, blob) },
    };
}

/** The pictures that use a blob, in words. */
async function describeUsers({ read }: Subject, blob: BlobRef) {
  const users = await read.selectFrom('images').select(['key', 'name']).where(usesBlob(blob)).orderBy('id').execute();
  const names = users.slice(0, MAX_NAMES).map(({ key, name }) => `“${name}” (${key})`);
  const more = users.length > MAX_NAMES ? ` and ${several(users.length - MAX_NAMES, 'more picture')}` : '';
  return { count: users.length, suffix: names.length > 0 ? `, the file for ${names.join(', ')}${more},` : '' };
}

async function isLeaving({ read }: Subject, { policyId, sha256 }: BlobRef) {
  const row = await read
    .selectFrom('blobs')
    .select('unused_since')
    .where('policy_id', '=', policyId)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row !== undefined && row.unused_since !== null;
}

const setSize = ({ write }: Subject, { policyId, sha256 }: BlobRef, size: number) =>
  write((queries) => queries.updateTable('blobs').set({ size }).where('policy_id', '=', policyId).where('sha256', '=', sha256).execute());

const release = ({ write }: Subject, { policyId, sha256 }: BlobRef) =>
  write((queries) =>
    queries.updateTable('blobs').set({ unused_since: Date.now() }).where('policy_id', '=', policyId).where('sha256', '=', sha256).execute(),
  );

/** Checks that every file in the storages belongs to a blob. */
export async function* checkStrayFiles(subject: Subject): AsyncGenerator<Finding> {
  for (const [policyId, storage] of subject.storages) {
    try {
      yield* checkStrays(subject, policyId, storage);
    } catch (error) {
      if (isMissing(error)) yield* missingFolder(subject, policyId, storage);
      // Reported for its blobs already, unless it has none.
      else if (!(error instanceof RequestError)) throw error;
    }
  }
}

async function* missingFolder({ read }: Subject, policyId: number, { location }: StorageDriver): AsyncGenerator<Finding> {
  const used = await read.selectFrom('blobs').select('sha256').where('policy_id', '=', policyId).limit(1).executeTakeFirst();
  if (used) yield { problem: `${location}, the folder of a storage policy, is missing.`, advice: 'Connect its disk, or restore a backup.' };
}

async function* checkStrays(subject: Subject, policyId: number, storage: StorageDriver): AsyncGenerator<Finding> {
  for await (const { name, sha256 } of storage.list()) {
    if (sha256 !== undefined && (await belongs(subject, policyId, sha256))) continue;
    const folder = join(subject.dataDir, ASIDE, String(policyId));
    yield {
      problem: `${name} doesn’t belong to any picture.`,
      advice: `--repair moves it to ${folder}.`,
      repair: {
        done: `Moved to ${asidePath(folder, name)}.`,
        run: () => moveAside(storage, name, asidePath(folder, name)),
      },
    };
  }
}

async function belongs({ read }: Subject, policyId: number, sha256: string): Promise<boolean> {
  const row = await read
    .selectFrom('blobs')
    .select('sha256')
    .where('policy_id', '=', policyId)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row !== undefined;
}

/** Objects in a bucket can have any name, such as one that leads out of the folder. */
const asidePath = (folder: string, name: string) => join(folder, createHash('sha256').update(name).digest('hex'));

/** Keeps what another repair has moved there before. */
async function moveAside(storage: StorageDriver, name: string, target: string) {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await storage.setAside(name, existsSync(target) ? `${target}-${Date.now()}` : target);
}
