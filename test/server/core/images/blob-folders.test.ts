import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blobFolders } from '#server/core/images/blob-folders.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const REF = { policyId: 1, sha256: 'ab'.repeat(32) };
const OTHER = { policyId: 1, sha256: 'cd'.repeat(32) };

async function open() {
  const root = temporaryFolder();
  const folders = blobFolders(join(root, 'thumbs'));
  const staged = join(root, 'staged');
  await mkdir(staged);
  const stage = async (name: string) => {
    await writeFile(join(staged, name), name);
    return join(staged, name);
  };
  const files = () =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(staged))
      .map(({ name }) => name);
  return { folders, stage, files, targetOf: (ref = REF) => join(folders.of(ref), '120.jpg') };
}

it('ends the wait for what is being made of a blob when it is removed, and discards it', async () => {
  const { folders, stage, files, targetOf } = await open();
  const { promise: made, resolve } = Promise.withResolvers<string>();
  const waiting = folders.make(REF, async (place) => place(await made, targetOf()));
  const other = folders.make(OTHER, async (place) => place(await made, targetOf(OTHER)));
  // Before it has been made.
  const ended = expect(waiting).rejects.toBeInstanceOf(BlobMissingError);
  await folders.remove(REF);
  await ended;
  resolve(await stage('made'));
  await other;
  await folders.settled();
  expect(files()).toEqual(['120.jpg']);
  expect(readdirSync(folders.of(OTHER))).toEqual(['120.jpg']);
});

it('removes what is moved into place at that moment', async () => {
  const { folders, stage, files, targetOf } = await open();
  for (let round = 0; round < 50; round++) {
    const staged = await stage('made');
    const { promise: placing, resolve } = Promise.withResolvers<void>();
    const waiting = folders.make(REF, async (place) => {
      const placed = place(staged, targetOf());
      resolve();
      await placed;
    });
    await placing;
    await Promise.allSettled([folders.remove(REF), waiting]);
    await folders.settled();
    expect(files()).toEqual([]);
  }
});

it('makes nothing of a blob that is being removed, and does so once it was stored again', async () => {
  const { folders, stage, files, targetOf } = await open();
  const make = async () => folders.make(REF, async (place) => place(await stage('made'), targetOf()));
  const removed = folders.remove(REF);
  await expect(make()).rejects.toBeInstanceOf(BlobMissingError);
  await removed;
  expect(files()).toEqual([]);
  await make();
  expect(files()).toEqual(['120.jpg']);
});
