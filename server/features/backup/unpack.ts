import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import type { z } from 'zod';
import { writeStream } from '#server/platform/files/write-stream.ts';
import type { BlobRef } from '#server/platform/storage/blob-rows.ts';
import { ignoreHere } from './archive.ts';
import {
  blobId,
  blobOfPath,
  blobPath,
  type End,
  endSchema,
  MAX_JSON_BYTES,
  type Manifest,
  manifestSchema,
  refuseBackup,
} from './format.ts';

/** One file of a backup, from any source. */
export interface BackupEntry {
  path: string;
  /** Only `file` is accepted. */
  type: string;
  size: number;
  body: AsyncIterable<Buffer>;
}

/** Re-check free space after this many blobs. */
const CHECK_BLOBS = 256;

/** Called with the size of each part that was read; waits as long as it takes. */
export type Pace = (bytes: number) => Promise<void>;

/** Where the blobs of an unpacked backup are. */
export const unpackedBlob = (folder: string, { policyId, sha256 }: BlobRef) =>
  join(folder, `blobs-${policyId}`, sha256.slice(0, 2), sha256.slice(2, 4), sha256);

/**
 * Unpacks a backup into an empty folder and verifies it: nothing is written outside the folder, every file has the expected
 * content, and there are no others.
 * @param pace reads and verifies the blobs, without writing them
 * @param requireSpace called with the number of bytes to write: of the whole backup first, then while they are written
 * @throws RequestError with the reason
 */
export async function unpackBackup(
  entries: AsyncIterable<BackupEntry>,
  folder: string,
  requireSpace: (bytes: number) => Promise<void>,
  pace?: Pace,
): Promise<{ manifest: Manifest; end: End }> {
  try {
    return await unpackAll(entries, folder, requireSpace, pace);
  } catch (error) {
    throw explain(error);
  }
}

async function unpackAll(
  entries: AsyncIterable<BackupEntry>,
  folder: string,
  requireSpace: (bytes: number) => Promise<void>,
  pace: Pace | undefined,
) {
  let manifest: Manifest | undefined;
  let end: End | undefined;
  const seen = new Set<string>();
  let blobs = 0;
  let bytes = 0;
  // Allowed if they are listed as missing. They aren't kept: whoever opens the database finds the others.
  let damaged = 0;
  let firstDamaged: BlobRef | undefined;
  for await (const entry of entries) {
    const { path, type, size } = entry;
    if (type !== 'file') throw refuseBackup(`it contains a ${type} where only files are allowed`);
    if (end) throw refuseBackup('it has data after its end');
    if (seen.has(path)) throw refuseBackup(`it contains ${printable(path)} twice`);
    const blob = blobOfPath(path);
    if (!blob) seen.add(path); // repeated blobs are noticed when they are written
    if (path === 'manifest.json') {
      manifest = await readJson(entry, manifestSchema, 'its manifest isn’t valid, or is from a newer version');
      if (manifest.secrets.size > MAX_JSON_BYTES) throw refuseBackup('its secrets aren’t valid');
      await requireSpace(manifest.database.size + (pace ? 0 : manifest.blobs.bytes));
    } else if (!manifest) throw refuseBackup('it doesn’t start with a manifest');
    else if (path === 'pixdock.db') await writeChecked(entry, join(folder, path), manifest.database.sha256, manifest.database.size);
    else if (path === 'secrets.json') await writeChecked(entry, join(folder, path), manifest.secrets.sha256, manifest.secrets.size);
    else if (path === 'end.json') end = await readJson(entry, endSchema, 'its end marker isn’t valid');
    else if (blob) {
      if (++blobs > manifest.blobs.count) throw refuseBackup('it contains more pictures than its manifest lists');
      bytes += size;
      if (bytes > manifest.blobs.bytes) throw refuseBackup('its pictures are larger than its manifest says');
      // Tiny files take more space than their sizes add up to, and others use the disk as well.
      if (blobs % CHECK_BLOBS === 0 && !pace) await requireSpace(manifest.blobs.bytes - bytes);
      if (pace) await readChecked(entry, blob.sha256, pace);
      else if ((await writeHashed(entry, unpackedBlob(folder, blob), size)) !== blob.sha256) {
        await rm(unpackedBlob(folder, blob));
        damaged++;
        firstDamaged ??= blob;
      }
    } else throw refuseBackup(`it contains ${printable(path)}, which isn’t part of a backup`);
  }
  if (firstDamaged && !end?.missing.includes(blobId(firstDamaged))) throw isDamaged(blobPath(firstDamaged));
  // In a folder, a blob that was missing may have been added by a later backup.
  if (!manifest || !end || !seen.has('pixdock.db') || !seen.has('secrets.json') || end.blobs > blobs - damaged)
    throw refuseBackup('it’s incomplete');
  return { manifest, end };
}

async function readJson<S extends z.ZodType>({ size, body }: BackupEntry, schema: S, reason: string): Promise<z.output<S>> {
  if (size > MAX_JSON_BYTES) throw refuseBackup(reason);
  const text = (await buffer(body)).toString('utf8');
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw Object.assign(refuseBackup(reason), { cause: error });
  }
}

async function writeChecked(entry: BackupEntry, target: string, sha256: string, expected: number) {
  if ((await writeHashed(entry, target, expected)) !== sha256) throw isDamaged(entry.path);
}

/** Returns the SHA-256 of what was written. */
async function writeHashed({ path, size, body }: BackupEntry, target: string, expected: number): Promise<string> {
  if (size !== expected) throw refuseBackup(`the size of ${printable(path)} doesn’t match the manifest`);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  const hashing = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await writeStream(target, { flags: 'wx', flush: true }, (file) => pipeline(body, hashing, file)).catch((error) => {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? refuseBackup(`it contains ${printable(path)} twice`) : error;
  });
  return hash.digest('hex');
}

async function readChecked({ path, body }: BackupEntry, sha256: string, pace: Pace) {
  const hash = createHash('sha256');
  for await (const chunk of body) {
    hash.update(chunk);
    await pace(chunk.length);
  }
  if (hash.digest('hex') !== sha256) throw isDamaged(path);
}

const isDamaged = (path: string) => refuseBackup(`${printable(path)} is damaged`);

/** An untrusted path, made safe for a message. */
const printable = (path: string) => `“${path.replace(/[^\x20-\x7e]/g, '?').slice(0, 80)}”`;

/** The files of a tar while it is read. tar-stream limits the size of its headers. */
export async function* tarEntries(source: Readable): AsyncGenerator<BackupEntry> {
  const tar = extract();
  tar.on('error', ignoreHere);
  const feeding = pipeline(source, tar).catch((error) => {
    tar.destroy(error);
    throw error;
  });
  feeding.catch(() => undefined); // the loop over the entries throws the same error
  for await (const entry of tar) {
    const { name, type, size = 0 } = entry.header;
    yield { path: name, type: type ?? 'file', size, body: entry as AsyncIterable<Buffer> };
    entry.resume();
  }
  await feeding;
}

/** Explains tar-stream's errors about damaged archives, which have no code of their own. Disk errors have a number. */
function explain(error: unknown): unknown {
  const { message = '', errno } = error as NodeJS.ErrnoException;
  if (
    errno !== undefined ||
    !/invalid tar|unexpected end|size mismatch|premature close|max size|stream (was|has been) destroyed/i.test(message)
  )
    return error;
  return refuseBackup('it isn’t a Pixdock backup, or it’s incomplete');
}
