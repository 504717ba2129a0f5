import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const MEGABYTE = 1024 * 1024;

/** One-megabyte files, and a reader that can cache four of them. */
function library(count: number) {
  const folder = temporaryFolder();
  const reader = createFileReader(4 * MEGABYTE + 4_000);
  const paths = Array.from({ length: count }, (_, at) => join(folder, String(at)));
  for (const [at, path] of paths.entries()) writeFileSync(path, Buffer.alloc(MEGABYTE, at));
  const read = async (path: string) => buffer((await reader.open(path)).stream());
  return { reader, paths, read };
}

it('caches a file on its second read, until it is forgotten', async () => {
  const { reader, paths, read } = library(1);
  const [path] = paths as [string];
  await read(path);
  await read(path);
  rmSync(path);
  expect((await read(path)).equals(Buffer.alloc(MEGABYTE, 0))).toBe(true);
  reader.forget(path);
  await expect(reader.open(path)).rejects.toBeInstanceOf(BlobMissingError);
});

it("doesn't cache a large file that is read once", async () => {
  const { paths, read, reader } = library(1);
  const [path] = paths as [string];
  await read(path);
  rmSync(path);
  await expect(reader.open(path)).rejects.toBeInstanceOf(BlobMissingError);
});

it('keeps files that are read often while another client repeatedly reads every file', async () => {
  const { paths, read } = library(12);
  const [often, ...others] = paths as [string, ...string[]];
  await read(often);
  for (let walk = 0; walk < 3; walk++) {
    for (const path of others) await read(path);
    await read(often);
    await read(often);
  }
  rmSync(often);
  expect((await read(often)).length).toBe(MEGABYTE);
});

it('uses at most twice its memory while evicted files are still being read', async () => {
  const { paths, reader } = library(40);
  const before = process.memoryUsage().arrayBuffers;
  const slow = [];
  for (const path of paths) {
    await (await reader.open(path)).close();
    slow.push(await reader.open(path));
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(9 * MEGABYTE);
  for (const blob of slow) await blob.close();
});

it('returns the same bytes to concurrent first and second reads', async () => {
  const { paths, read } = library(1);
  const [path] = paths as [string];
  for (const bytes of await Promise.all(Array.from({ length: 8 }, () => read(path))))
    expect(bytes.equals(Buffer.alloc(MEGABYTE, 0))).toBe(true);
});

it('returns ranges of cached files', async () => {
  const { paths, reader, read } = library(1);
  const [path] = paths as [string];
  await read(path);
  await read(path);
  expect((await buffer((await reader.open(path)).stream({ start: 5, end: 9 }))).length).toBe(5);
});

it('sends what was just written from memory, until it is forgotten', async () => {
  const { reader, paths, read } = library(1);
  const [path] = paths as [string];
  const written = Buffer.alloc(1_000, 7);
  rmSync(path);
  expect((await buffer(reader.keep(path, written).stream())).equals(written)).toBe(true);
  expect((await read(path)).equals(written)).toBe(true);
  reader.forget(path);
  await expect(reader.open(path)).rejects.toBeInstanceOf(BlobMissingError);
});
