import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failRestore, finishRestore, forgiveStart, hasFailed, removeReplaced, settleRestore } from '#server/features/backup/swap.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

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
function prepared(old: Record<string, string> = OLD): string {
  const folder = temporaryFolder();
  write(folder, old);
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

/** The data folder as a loss of power leaves it after some moves. */
async function cutOff(folder: string, moves: number): Promise<string> {
  const crashed = temporaryFolder();
  let left = moves;
  const move: typeof rename = async (from, to) => {
    if (left-- === 0) cpSync(folder, crashed, { recursive: true });
    await rename(from, to);
  };
  await settleRestore(folder, move);
  if (left >= 0) cpSync(folder, crashed, { recursive: true });
  return crashed;
}

it('removes thumbnails, which are those of other pictures', async () => {
  const folder = prepared({ ...OLD, 'thumbs/aa/400.jpg': 'old' });
  await settleRestore(folder);
  expect(existsSync(join(folder, 'thumbs'))).toBe(false);
});

it.each(Array.from({ length: 11 }, (_, moves) => moves))('completes a restore that was interrupted after %i moves', async (moves) => {
  const crashed = await cutOff(prepared(), moves);
  expect(await settleRestore(crashed)).toMatchObject({ applied: join(crashed, 'replaced', 'r1') });
  await finishRestore(crashed);
  expect(contents(crashed, ALL)).toEqual(NEW);
  expect(contents(join(crashed, 'replaced', 'r1'), ALL)).toEqual(OLD);
  expect(existsSync(join(crashed, 'restore'))).toBe(false);
  expect(await settleRestore(crashed)).toBeUndefined();
});

it('forgets a finished restore whose removal was interrupted', async () => {
  const folder = prepared();
  await settleRestore(folder);
  await failRestore(folder, 'It doesn’t start.');
  rmSync(join(folder, 'restore', 'ready.json')); // the first step of the removal
  expect(await settleRestore(folder)).toBeUndefined();
  expect(existsSync(join(folder, 'restore'))).toBe(false);
  expect(contents(folder, ALL)).toEqual(NEW);
});

it.each(Array.from({ length: 13 }, (_, moves) => moves))(
  'brings the former data back when the restored data does not start, also when interrupted after %i moves',
  async (moves) => {
    const folder = prepared();
    await settleRestore(folder);
    write(folder, { 'pixdock.db-wal': 'new' }); // the start has opened the database
    await failRestore(folder, 'It is broken.');
    const crashed = await cutOff(folder, moves);
    expect(await settleRestore(crashed)).toEqual({
      failure: { created_at: '2026-01-01T00:00:00Z', reason: 'It is broken.', failed_at: expect.any(String) },
    });
    await finishRestore(crashed);
    expect(contents(crashed, ALL)).toEqual(OLD);
    expect([existsSync(join(crashed, 'restore')), readdirSync(join(crashed, 'replaced'))]).toEqual([false, []]);
    expect(await settleRestore(crashed)).toBeUndefined();
  },
);

it.each([0, 1, 3, 5, 7])('brings back what is there when it fails in the middle, after %i moves', async (moves) => {
  const folder = await cutOff(prepared(), moves);
  await failRestore(folder, 'It is broken.');
  await settleRestore(folder);
  await finishRestore(folder);
  expect(contents(folder, ALL)).toEqual(OLD);
});

it('leaves nothing of a failed restore in a folder that had no policies and no log', async () => {
  const old = { 'pixdock.db': 'old', 'secrets.json': 'old', 'blobs/a': 'old' };
  const folder = prepared(old);
  await settleRestore(folder);
  write(folder, { 'pixdock.db-wal': 'new' });
  await failRestore(folder, 'It is broken.');
  await settleRestore(folder);
  await finishRestore(folder);
  expect(contents(folder, ALL)).toEqual(old);
});

it('gives up restored data with which the service was killed during three starts, but not for other faults', async () => {
  const folder = prepared();
  for (let start = 0; start < 5; start++) {
    expect(await settleRestore(folder)).toHaveProperty('applied');
    await forgiveStart(folder);
  }
  for (let start = 0; start < 3; start++) expect(await settleRestore(folder)).toHaveProperty('applied');
  expect(await settleRestore(folder)).toMatchObject({ failure: { reason: expect.stringContaining('several times') } });
  expect(contents(folder, ALL)).toEqual(OLD);
});

it('undoes a restore whose files cannot be moved', async () => {
  const folder = prepared();
  const refuse = async () => {
    throw new Error('EBUSY: resource busy');
  };
  await expect(settleRestore(folder, refuse)).rejects.toThrow('EBUSY');
  expect(hasFailed(folder)).toBe(true);
  expect(await settleRestore(folder)).toMatchObject({ failure: { reason: 'Its files couldn’t be moved: EBUSY: resource busy.' } });
  expect(contents(folder, ALL)).toEqual(OLD);
});

it('fails nothing when no restore is being tried', async () => {
  const folder = prepared();
  await failRestore(folder, 'Another fault.');
  expect(hasFailed(folder)).toBe(false);
});

it('keeps the replaced data for a week', async () => {
  const folder = prepared();
  await settleRestore(folder);
  await finishRestore(folder);
  expect(await removeReplaced(folder, Date.now() + 6 * 86_400_000)).toBe(0);
  expect(await removeReplaced(folder, Date.now() + 8 * 86_400_000)).toBe(1);
  expect(existsSync(join(folder, 'replaced', 'r1'))).toBe(false);
});

it('removes the rest of what is too old when a part of it can’t be removed', async () => {
  const folder = temporaryFolder();
  const replaced = join(folder, 'replaced');
  mkdirSync(join(replaced, 'b'), { recursive: true });
  symlinkSync('missing', join(replaced, 'a'));
  symlinkSync('missing', join(replaced, 'c'));
  await expect(removeReplaced(folder, Date.now() + 8 * 86_400_000)).rejects.toThrow('2 folders');
  expect(readdirSync(replaced).toSorted()).toEqual(['a', 'c']);
});
