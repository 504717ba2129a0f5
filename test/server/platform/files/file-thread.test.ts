import files, { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createFileThread, type PlaceJob, startWorker } from '#server/platform/files/file-thread.ts';
import { placeFiles } from '#server/platform/files/place-files.ts';
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
