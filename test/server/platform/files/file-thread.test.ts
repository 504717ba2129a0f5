import files, { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it, vi } from 'vitest';
import { createFileThread, type PlaceJob, startWorker } from '#server/platform/files/file-thread.ts';
import { placeFiles } from '#server/platform/files/place-files.ts';
import { writeStream } from '#server/platform/files/write-stream.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

/** A data folder, and jobs for files in it. */
function workspace() {
  const folder = temporaryFolder();
  const [root, staging] = [join(folder, 'blobs'), join(folder, 'tmp')];
  for (const made of [root, staging]) mkdirSync(made);
  const job = (name: string, content = name): PlaceJob => ({
    bytes: Buffer.from(content),
    path: join(staging, `${name}.part`),
    target: join(root, name.slice(0, 2), name.slice(2, 4), name),
    root,
  });
  return { root, staging, job };
}

it('writes files to their places in a thread, including those that arrive while it is busy', async () => {
  const { staging, job } = workspace();
  const thread = createFileThread();
  const jobs = Array.from({ length: 70 }, (_, i) => job(`${100_000 + i}`, `content ${i}`));
  await Promise.all(jobs.map((one) => thread.place(one)));
  expect(jobs.map(({ target }) => readFileSync(target, 'utf8'))).toEqual(jobs.map((_, i) => `content ${i}`));
  expect(readdirSync(staging)).toEqual([]);
});

it('rejects files while no thread can start, and writes those after that', async () => {
  const { job } = workspace();
  let fault: Error | undefined = new Error('no threads left');
  const thread = createFileThread(() => {
    if (fault) throw fault;
    return startWorker();
  });
  const results = await Promise.allSettled([thread.place(job('abcd')), thread.place(job('bcde'))]);
  expect(results).toEqual(Array(2).fill({ status: 'rejected', reason: fault }));
  fault = undefined;
  const later = job('cdef');
  await thread.place(later);
  expect(readFileSync(later.target, 'utf8')).toBe('cdef');
});

it('rejects only the file that has no place, and leaves nothing of it', async () => {
  const { root, staging, job } = workspace();
  const thread = createFileThread();
  writeFileSync(join(root, 'ab'), 'a file in the way');
  const [bad, good] = [job('abcd'), job('cdef')];
  const results = await Promise.allSettled([thread.place(bad), thread.place(good)]);
  expect(results).toMatchObject([{ status: 'rejected', reason: { syscall: 'mkdir' } }, { status: 'fulfilled' }]);
  expect(readdirSync(staging)).toEqual([]);
  expect(readFileSync(good.target, 'utf8')).toBe('cdef');
});

it('flushes each folder of a batch once, after all files are in their places', () => {
  const { root, job } = workspace();
  const jobs = [job('aabb1'), job('aabb2'), job('aacc3')];
  const opened = new Map<number, string>();
  const done: string[] = [];
  const open = files.openSync;
  const spies = [
    vi.spyOn(files, 'openSync').mockImplementation((path, ...rest) => {
      const descriptor = open(path, ...rest);
      opened.set(descriptor, String(path));
      return descriptor;
    }),
    ...(['fdatasyncSync', 'fsyncSync'] as const).map((name) =>
      vi.spyOn(files, name).mockImplementation((descriptor) => void done.push(`${name} ${opened.get(descriptor)}`)),
    ),
  ];
  expect(placeFiles(jobs)).toEqual([undefined, undefined, undefined]);
  for (const spy of spies) spy.mockRestore();
  const [first, second] = [jobs[0], jobs[2]].map((one) => dirname((one as PlaceJob).target));
  expect(done).toEqual([
    ...jobs.map(({ path }) => `fdatasyncSync ${path}`),
    ...[first, join(root, 'aa'), root, second].map((folder) => `fsyncSync ${folder}`),
  ]);
});

it('fails every file below a folder that can’t be flushed', () => {
  const { job } = workspace();
  const jobs = [job('aabb1'), job('ccdd2')];
  const flush = files.fsyncSync;
  const spy = vi.spyOn(files, 'fsyncSync').mockImplementationOnce(() => {
    throw Object.assign(new Error('input/output error'), { code: 'EIO', syscall: 'fsync' });
  });
  expect(placeFiles(jobs)).toEqual([{ message: 'input/output error', code: 'EIO', syscall: 'fsync' }, undefined]);
  spy.mockRestore();
  expect(files.fsyncSync).toBe(flush);
});

const FAULT = new Error('the connection was lost');

it('writes a file that only this user can read', async () => {
  const path = join(temporaryFolder(), 'file');
  expect(
    await writeStream(path, { flush: true }, (file) => pipeline(Readable.from([Buffer.from('one'), Buffer.from('two')]), file)),
  ).toBeUndefined();
  expect(readFileSync(path, 'utf8')).toBe('onetwo');
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('leaves nothing that appears after the file was removed, however early its source fails', async () => {
  const folder = temporaryFolder();
  const failing = async function* () {
    yield Buffer.from('x');
    throw FAULT;
  };
  const sources = [
    () =>
      new Readable({
        read() {
          this.destroy(FAULT);
        },
      }),
    () => Readable.from(failing()),
  ];
  const through = async function* (source: AsyncIterable<Buffer>) {
    yield* source;
  };
  for (let i = 0; i < 100; i++) {
    const path = join(folder, String(i));
    const source = sources[i % sources.length]?.() as Readable;
    await expect(writeStream(path, {}, (file) => pipeline(source, through, file))).rejects.toBe(FAULT);
    rmSync(path);
    expect(existsSync(path)).toBe(false);
  }
  // Anything that was still to be opened comes before this.
  await writeStream(join(folder, 'last'), {}, (file) => pipeline(Readable.from(['x']), file));
  expect(readdirSync(folder)).toEqual(['last']);
});

it('refuses a file that exists', async () => {
  const path = join(temporaryFolder(), 'file');
  const write = () => writeStream(path, { flags: 'wx' }, (file) => pipeline(Readable.from(['x']), file));
  await write();
  await expect(write()).rejects.toMatchObject({ code: 'EEXIST' });
});

it('reports that a file can’t be opened', async () => {
  const path = join(temporaryFolder(), 'missing', 'file');
  await expect(writeStream(path, {}, (file) => pipeline(Readable.from(['x']), file))).rejects.toMatchObject({ code: 'ENOENT' });
});
