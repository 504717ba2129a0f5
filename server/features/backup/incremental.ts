import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openSnapshot } from '#server/platform/db/database.ts';
import { flushFolder, flushFolders, writeDurably } from '#server/platform/files/durable.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { writeStream } from '#server/platform/files/write-stream.ts';
import type { StoredBlob } from '#server/platform/storage/stored-blobs.ts';
import { summarize, toJson } from './archive.ts';
import { blobId, type End, stampOf } from './format.ts';
import { type BackupSource, UnreadableBlobError } from './source.ts';

/** `blobs/<policy>/ab/cd/<sha256>`, each written once; `snapshots/<time>/` holds everything that changes. */
export const blobFile = (folder: string, { policyId, sha256 }: Pick<StoredBlob, 'policyId' | 'sha256'>) =>
  join(folder, 'blobs', String(policyId), sha256.slice(0, 2), sha256.slice(2, 4), sha256);
export const snapshotFolder = (folder: string, stamp: string) => join(folder, 'snapshots', stamp);

/** Backs up to a folder: first the blobs that it doesn't have yet, then the snapshot that refers to them. */
export async function writeSnapshot(source: BackupSource, folder: string, signal: AbortSignal, progress: (bytes: number) => void) {
  const end: End = { blobs: 0, bytes: 0, missing: [] };
  let added = 0;
  for await (const blob of source.blobs()) {
    signal.throwIfAborted();
    const path = blobFile(folder, blob);
    const there = (await ifMissing(stat(path), undefined))?.size === blob.size;
    if (!there && !(await copyBlob(source, blob, folder))) {
      end.missing.push(blobId(blob));
      continue;
    }
    if (!there) added++;
    end.blobs++;
    end.bytes += blob.size;
    progress(end.bytes);
  }
  const snapshot = stampOf(new Date(source.manifest.created_at));
  await writeState(source, end, snapshotFolder(folder, snapshot));
  return { snapshot, new_blobs: added, ...summarize(source.manifest, end) };
}

/** Returns whether the blob could be read. */
async function copyBlob(source: BackupSource, blob: StoredBlob, folder: string): Promise<boolean> {
  const path = blobFile(folder, blob);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const bytes = await source.open(blob);
  if (!bytes) return false;
  const part = `${path}.part`;
  try {
    await writeStream(part, { flush: true }, (file) => pipeline(bytes, file));
    await rename(part, path);
    await flushFolders(dirname(path), folder);
  } catch (error) {
    // Otherwise the next backup would take it for stored.
    for (const left of [part, path]) await rm(left, { force: true });
    if (error instanceof UnreadableBlobError) return false;
    throw error;
  }
  return true;
}

/** The folder gets its final name once it is complete. */
async function writeState({ manifest, database, secrets }: BackupSource, end: End, folder: string) {
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  await writeStream(join(part, 'pixdock.db'), { flush: true }, (file) => pipeline(createReadStream(database), file));
  await writeDurably(join(part, 'secrets.json'), secrets);
  await writeDurably(join(part, 'manifest.json'), toJson(manifest));
  await writeDurably(join(part, 'end.json'), toJson(end));
  await rename(part, folder);
  await flushFolder(dirname(folder));
}

/** The snapshots in a folder, latest first. */
export async function listSnapshots(folder: string): Promise<string[]> {
  const names = await ifMissing(readdir(join(folder, 'snapshots')), []);
  return names
    .filter((name) => /^\d{8}-\d{6}$/.test(name))
    .sort()
    .reverse();
}

/** Removes all but the latest snapshots, then the blobs that none of them refers to. */
export async function pruneSnapshots(folder: string, keep: number): Promise<void> {
  const snapshots = await listSnapshots(folder);
  const dropped = snapshots.slice(keep);
  if (dropped.length === 0) return;
  for (const name of dropped) await rm(snapshotFolder(folder, name), { recursive: true });
  await flushFolder(join(folder, 'snapshots')); // first: one that reappears after a power cut would lack its blobs
  const kept = snapshots.slice(0, keep).map((name) => openSnapshot(join(snapshotFolder(folder, name), 'pixdock.db')));
  try {
    for await (const { policyId, sha256, path } of blobFiles(folder)) {
      const isKept = async ({ read }: (typeof kept)[number]) =>
        (await read
          .selectFrom('blobs')
          .select('size')
          .where('policy_id', '=', policyId)
          .where('sha256', '=', sha256)
          .executeTakeFirst()) !== undefined;
      let used = false;
      for (const snapshot of kept) used ||= await isKept(snapshot);
      if (!used) await rm(path);
    }
  } finally {
    for (const snapshot of kept) await snapshot.close();
  }
}

async function* blobFiles(folder: string) {
  const root = join(folder, 'blobs');
  for (const policy of await readdir(root)) {
    for (const first of await readdir(join(root, policy))) {
      for (const second of await readdir(join(root, policy, first))) {
        for (const sha256 of await readdir(join(root, policy, first, second)))
          yield { policyId: Number(policy), sha256, path: join(root, policy, first, second, sha256) };
      }
    }
  }
}
