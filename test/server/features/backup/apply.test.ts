import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { applyRestore, removeReplaced } from '#server/features/backup/restore.ts';
import { temporaryFolder } from '#test/helpers/folder.ts';

const OLD = {
  'pixdock.db': 'old',
  'pixdock.db-wal': 'old',
  'pixdock.db-shm': 'old',
  'secrets.json': 'old',
  'blobs/a': 'old',
  'policies/2/x': 'old',
};
const NEW = { 'pixdock.db': 'new', 'secrets.json': 'new', 'blobs/b': 'new', 'policies/3/x': 'new' };

function write(folder: string, files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** A data folder with a pending restore. */
function prepared(): string {
  const folder = temporaryFolder();
  write(folder, OLD);
  write(join(folder, 'restore', 'r1'), NEW);
  write(folder, {
    'restore/ready.json': JSON.stringify({ folder: 'r1', created_at: '2026-01-01T00:00:00Z', images: 1, blobs: 1, bytes: 1, missing: 0 }),
  });
  return folder;
}

const contents = (folder: string, paths: string[]) =>
  Object.fromEntries(
    paths.filter((path) => existsSync(join(folder, path))).map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
const ALL = [...new Set([...Object.keys(OLD), ...Object.keys(NEW)])];

it.each(Array.from({ length: 11 }, (_, moves) => moves))('completes a restore that was interrupted after %i moves', async (moves) => {
  const folder = prepared();
  let left = moves;
  const cutOff: typeof rename = async (from, to) => {
    if (left-- === 0) throw new Error('the power is gone');
    await rename(from, to);
  };
  await applyRestore(folder, cutOff).catch((error) => expect(error.message).toBe('the power is gone'));
  // Files that the old database leaves next to it between two attempts must not survive either.
  const crashed = temporaryFolder();
  cpSync(folder, crashed, { recursive: true });
  await applyRestore(crashed);
  expect(contents(crashed, ALL)).toEqual(NEW);
  expect(contents(join(crashed, 'replaced', 'r1'), ALL)).toEqual(OLD);
  expect(existsSync(join(crashed, 'restore'))).toBe(false);
  expect(await applyRestore(crashed)).toBeUndefined();
});

it('keeps the replaced data for a week', async () => {
  const folder = prepared();
  await applyRestore(folder);
  expect(await removeReplaced(folder, Date.now() + 6 * 86_400_000)).toBe(0);
  expect(await removeReplaced(folder, Date.now() + 8 * 86_400_000)).toBe(1);
  expect(existsSync(join(folder, 'replaced', 'r1'))).toBe(false);
});
