import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NotFoundError, requireFound } from '#server/platform/base/errors.ts';
import { openSnapshot } from '#server/platform/db/database.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { allBlobs } from '#server/platform/storage/stored-blobs.ts';
import { blobPath, NO_BACKUP, refuseBackup } from './format.ts';
import { blobFile, snapshotFolder } from './incremental.ts';
import type { BackupEntry } from './unpack.ts';

/** A snapshot in the folder of scheduled backups, as the files of one backup. @throws NotFoundError */
export async function* folderEntries(folder: string, stamp: string): AsyncGenerator<BackupEntry> {
  const state = snapshotFolder(folder, stamp);
  for (const path of ['manifest.json', 'pixdock.db', 'secrets.json']) yield fileEntry(path, join(state, path));
  const snapshot = openSnapshot(join(state, 'pixdock.db'));
  try {
    for await (const blob of allBlobs(snapshot.read)) {
      const entry = await fileEntry(blobPath(blob), blobFile(folder, blob)).catch((error) => {
        if (error instanceof NotFoundError) return undefined; // unpacking decides whether it may be missing
        throw error;
      });
      if (entry) yield entry;
    }
  } finally {
    await snapshot.close();
  }
  yield fileEntry('end.json', join(state, 'end.json'));
}

async function fileEntry(path: string, file: string): Promise<BackupEntry> {
  const stats = requireFound(await ifMissing(stat(file), undefined), NO_BACKUP);
  if (!stats.isFile()) throw refuseBackup('its folder contains something other than files');
  return { path, type: 'file', size: stats.size, body: createReadStream(file) };
}
