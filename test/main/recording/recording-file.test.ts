import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginFile, recover, removeFile } from '#main/recording/recording-file.ts';
import { posterBeside } from '#main/uploader/spool.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixdock-recording-'));
  path = join(folder, 'a.mp4');
});
afterEach(() => rm(folder, { recursive: true }));

function box(type: string, content = 20): Buffer {
  const bytes = Buffer.alloc(8 + content, type);
  bytes.writeUInt32BE(bytes.length);
  bytes.write(type, 4, 'latin1');
  return bytes;
}
const HEAD = Buffer.concat([box('ftyp'), box('moov', 300)]);
const FRAGMENT = Buffer.concat([box('moof', 100), box('mdat', 1_000)]);

test('a file is appended in order, and nothing else', async () => {
  const file = await beginFile(path);
  await Promise.all([file.append(0, HEAD), file.append(HEAD.length, FRAGMENT)]);
  await expect(file.append(0, FRAGMENT)).rejects.toThrow(`can’t continue at 0`);
  expect(file.size()).toBe(HEAD.length + FRAGMENT.length);
  await expect(beginFile(path)).rejects.toThrow('EEXIST');
  await file.keepPoster(Buffer.from('jpeg'));
  expect(await file.end()).toBe(HEAD.length + FRAGMENT.length);
  expect(await readFile(path)).toEqual(Buffer.concat([HEAD, FRAGMENT]));
  expect(await readFile(posterBeside(path), 'utf8')).toBe('jpeg');
  await removeFile(path);
  await expect(stat(posterBeside(path))).rejects.toThrow('ENOENT');
});

test('stops before the disk is full, with what it has', async () => {
  const file = await beginFile(path, Number.POSITIVE_INFINITY);
  await expect(file.append(0, Buffer.concat([HEAD, FRAGMENT]))).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await file.end()).toBe(HEAD.length + FRAGMENT.length);
});

test('wherever a file was cut off, its whole fragments are kept', async () => {
  const all = Buffer.concat([HEAD, FRAGMENT, FRAGMENT]);
  const ends = [HEAD.length + 2 * FRAGMENT.length, HEAD.length + FRAGMENT.length];
  for (let length = all.length; length >= 0; length -= 7) {
    await writeFile(path, all.subarray(0, length));
    const kept = ends.find((end) => end <= length) ?? 0;
    expect(await recover(path), `of ${length} bytes`).toBe(kept);
    expect((await stat(path)).size, `of ${length} bytes`).toBe(kept);
  }
});

test('the index of a finished file is kept, and what is no fragment isn’t', async () => {
  const whole = Buffer.concat([HEAD, FRAGMENT, box('mfra')]);
  await writeFile(path, whole);
  expect(await recover(path)).toBe(whole.length);
  await appendFile(path, Buffer.alloc(500)); // a power cut leaves zeros
  expect(await recover(path)).toBe(whole.length);
  await truncate(path, HEAD.length);
  await appendFile(path, box('mdat', 50));
  expect(await recover(path)).toBe(0);
  expect(await recover(join(folder, 'missing.mp4'))).toBe(0);
});

test('a fragment of more than 4 GB has its size elsewhere', async () => {
  const large = Buffer.alloc(16 + 32);
  large.writeUInt32BE(1);
  large.write('mdat', 4, 'latin1');
  large.writeBigUInt64BE(BigInt(large.length), 8);
  const whole = Buffer.concat([HEAD, box('moof'), large]);
  await writeFile(path, Buffer.concat([whole, box('moof')]));
  expect(await recover(path)).toBe(whole.length);
});
