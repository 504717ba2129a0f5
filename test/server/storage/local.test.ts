import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFileReader } from '#server/storage/file-reader.ts';
import { createLocalStorage } from '#server/storage/local.ts';
import { storageDriverContract } from '#test/contracts/storage-driver.ts';
import { temporaryFolder } from '#test/helpers/folder.ts';

storageDriverContract('a local folder', async () => {
  const folder = temporaryFolder();
  const blobs = join(folder, 'blobs');
  const staging = join(folder, 'tmp');
  mkdirSync(blobs);
  mkdirSync(staging);
  return { driver: createLocalStorage(blobs, createFileReader()), staging };
});
