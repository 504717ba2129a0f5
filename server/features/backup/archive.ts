import { createReadStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import type { BackupSummary } from '#api/admin/backup.ts';
import { blobId, blobPath, type End } from './format.ts';
import { type BackupSource, UnreadableBlobError } from './source.ts';

const ZEROS = Buffer.alloc(64 * 1024);

/** Called with the number of blob bytes written so far. */
export type OnBytes = (bytes: number) => void;

/**
 * Writes a backup as one tar file and ends `target`.
 * @throws when `signal` aborts, `target` fails, or a file changes meanwhile
 */
export async function writeArchive(
  source: BackupSource,
  target: Writable,
  { progress, signal }: { progress: OnBytes; signal: AbortSignal },
): Promise<BackupSummary> {
  signal.throwIfAborted();
  const tar = pack();
  tar.on('error', ignoreHere);
  const written = pipeline(tar, target, { signal });
  const packed = packAll(tar, source, progress).catch((error) => {
    tar.destroy(error);
    throw error;
  });
  const [summary] = await Promise.all([packed, written]);
  return summary;
}

/** The awaited promises reject with the error too; without a listener it would also crash the process. */
export const ignoreHere = () => undefined;

async function packAll(tar: Pack, source: BackupSource, progress: OnBytes): Promise<BackupSummary> {
  const { manifest, database, secrets } = source;
  const modified = new Date(manifest.created_at);
  const add = (name: string, size: number, bytes: Readable) => pipeline(bytes, tar.entry({ name, size, mtime: modified, mode: 0o600 }));
  const addBuffer = (name: string, bytes: Buffer) => void tar.entry({ name, mtime: modified, mode: 0o600 }, bytes);

  addBuffer('manifest.json', toJson(manifest));
  await add('pixdock.db', manifest.database.size, createReadStream(database));
  addBuffer('secrets.json', secrets);
  const end: End = { blobs: 0, bytes: 0, missing: [] };
  for await (const blob of source.blobs()) {
    const bytes = await source.open(blob);
    if (!bytes) {
      end.missing.push(blobId(blob));
      continue;
    }
    let isWhole = true;
    const lose = () => {
      end.missing.push(blobId(blob));
      isWhole = false;
    };
    await add(blobPath(blob), blob.size, Readable.from(padded(bytes, blob.size, lose), { objectMode: false }));
    if (!isWhole) continue;
    end.blobs++;
    end.bytes += blob.size;
    progress(end.bytes);
  }
  addBuffer('end.json', toJson(end));
  tar.finalize();
  return summarize(manifest, end);
}

/** A file's size is written before its bytes: where they can't be read, zeros follow, and `lose` is called. */
async function* padded(bytes: Readable, size: number, lose: () => void) {
  let left = size;
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      left -= chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (!(error instanceof UnreadableBlobError)) throw error;
    lose();
    for (; left > 0; left -= ZEROS.length) yield ZEROS.subarray(0, left);
  }
}

export const toJson = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 1)}\n`);

export function summarize({ created_at, images }: BackupSource['manifest'], { blobs, bytes, missing }: End): BackupSummary {
  return { created_at, images, blobs, bytes, missing: missing.length };
}
