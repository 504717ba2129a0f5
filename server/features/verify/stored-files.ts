import { existsSync } from 'node:fs';
import { mkdir, opendir, rename, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { hashFile } from '#server/platform/files/hash-file.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import type { BlobRef } from '#server/platform/storage/blobs.ts';
import { allBlobs, type StoredBlob } from '#server/platform/storage/stored-blobs.ts';
import { type Finding, type Subject, several } from './finding.ts';

/** Below the data folder: files that a repair has moved aside. */
const ASIDE = 'set-aside';
const MAX_NAMES = 3;

/** Checks every file that the database lists: it exists and has the right contents, and a picture uses it. */
export async function* checkStoredFiles(subject: Subject): AsyncGenerator<Finding> {
  for await (const blob of allBlobs(subject.read)) yield* checkBlob(subject, blob);
}

async function* checkBlob(subject: Subject, blob: StoredBlob): AsyncGenerator<Finding> {
  const folder = subject.folders.get(blob.policyId);
  if (folder === undefined) return; // reported as a broken reference
  const path = blobFile(folder, blob.sha256);
  const stats = await ifMissing(stat(path), undefined);
  const what = await describeUsers(subject, blob);
  const lost = 'Restore it from a backup, or delete what uses it.';
  if (!stats) yield { problem: `${path} is missing${what.suffix}.`, advice: lost };
  else if ((await hashFile(path, subject.onBytes)) !== blob.sha256)
    yield { problem: `${path} is damaged${what.suffix}: its contents don’t match its name.`, advice: lost };
  else if (stats.size !== blob.size)
    yield {
      problem: `${path} has ${several(stats.size, 'byte')}, but the database says ${several(blob.size, 'byte')}.`,
      advice: '--repair corrects the database.',
      repair: { done: 'Corrected the database.', run: () => setSize(subject, blob, stats.size) },
    };
  if (stats && what.count === 0 && !(await isLeaving(subject, blob)))
    yield {
      problem: `${path} isn’t used by any picture.`,
      advice: 'With --repair, the service will delete it.',
      repair: { done: 'The service will delete it.', run: () => release(subject, blob) },
    };
}

/** The pictures that use a blob, in words. */
async function describeUsers({ read }: Subject, { policyId, sha256 }: BlobRef) {
  const users = await read
    .selectFrom('images')
    .select(['key', 'name'])
    .where('policy_id', '=', policyId)
    .where('sha256', '=', sha256)
    .where('emptied_at', 'is', null)
    .orderBy('id')
    .execute();
  const names = users.slice(0, MAX_NAMES).map(({ key, name }) => `“${name}” (${key})`);
  const more = users.length > MAX_NAMES ? ` and ${several(users.length - MAX_NAMES, 'more picture')}` : '';
  return { count: users.length, suffix: names.length > 0 ? `, the file of ${names.join(', ')}${more}` : '' };
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

/** Checks that every file in the folders of the storage policies belongs to a blob. */
export async function* checkStrayFiles(subject: Subject): AsyncGenerator<Finding> {
  for (const [policyId, folder] of subject.folders) {
    if (!existsSync(folder)) {
      const used = await subject.read.selectFrom('blobs').select('sha256').where('policy_id', '=', policyId).limit(1).executeTakeFirst();
      if (used)
        yield { problem: `${folder}, the folder of a storage policy, is missing.`, advice: 'Connect its disk, or restore a backup.' };
      continue;
    }
    for await (const path of filesBelow(folder)) {
      if (await belongs(subject, policyId, folder, path)) continue;
      yield {
        problem: `${path} doesn’t belong to any picture.`,
        advice: `--repair moves it to ${join(subject.dataDir, ASIDE)}.`,
        repair: {
          done: `Moved to ${join(subject.dataDir, ASIDE)}.`,
          run: () => moveAside(subject.dataDir, path, join(String(policyId), relative(folder, path))),
        },
      };
    }
  }
}

async function belongs({ read }: Subject, policyId: number, folder: string, path: string): Promise<boolean> {
  const sha256 = basename(path);
  if (!/^[0-9a-f]{64}$/.test(sha256) || path !== blobFile(folder, sha256)) return false;
  const row = await read
    .selectFrom('blobs')
    .select('sha256')
    .where('policy_id', '=', policyId)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps what another repair has moved there before. */
async function moveAside(dataDir: string, path: string, name: string) {
  const target = join(dataDir, ASIDE, name);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await rename(path, existsSync(target) ? `${target}-${Date.now()}` : target);
}

/** All files below a folder, one folder at a time. */
export async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** Where a storage policy keeps a blob. */
export const blobFile = (folder: string, sha256: string) => join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
