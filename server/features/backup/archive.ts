import { createReadStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import type { BackupSummary } from '#api/admin/backup.ts';
import { blobPath, type End } from './format.ts';
import type { BackupSource } from './source.ts';

/** Called with the number of blob bytes written so far. */
export type Progress = (bytes: number) => void;

/**
 * Writes a backup as one tar file and ends `target`.
 * @throws when `signal` aborts, `target` fails, or a file changes meanwhile
 */
export async function writeArchive(
  source: BackupSource,
  target: Writable,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
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

async function packAll(tar: Pack, source: BackupSource, progress: Progress): Promise<BackupSummary> {
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
      end.missing.push(`${blob.policyId}/${blob.sha256}`);
      continue;
    }
    await add(blobPath(blob), blob.size, bytes);
    end.blobs++;
    end.bytes += blob.size;
    progress(end.bytes);
  }
  addBuffer('end.json', toJson(end));
  tar.finalize();
  return summarize(manifest, end);
}

export const toJson = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 1)}\n`);

export function summarize({ created_at, images }: BackupSource['manifest'], { blobs, bytes, missing }: End): BackupSummary {
  return { created_at, images, blobs, bytes, missing: missing.length };
}
