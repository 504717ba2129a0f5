import { hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { BUFFER_BYTES, createArrivalThread, startWorker, type ThreadFile } from '#server/platform/storage/arrival/thread.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

type Thread = ReturnType<typeof createArrivalThread>;

async function write(thread: Thread, file: ThreadFile, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += BUFFER_BYTES) {
    const buffer = thread.takeBuffer();
    await file.write(buffer, bytes.copy(buffer, 0, at, at + BUFFER_BYTES));
  }
}

it('writes several files at once', async () => {
  const folder = temporaryFolder();
  const thread = createArrivalThread();
  const contents = Array.from({ length: 12 }, (_, i) => randomBytes(i * 200_000));
  await Promise.all(
    contents.map(async (bytes, i) => {
      const file = await thread.open(join(folder, String(i)));
      await write(thread, file, bytes);
      expect(await file.finish()).toEqual({ size: bytes.length, sha256: hash('sha256', bytes) });
    }),
  );
  for (const [i, bytes] of contents.entries()) expect(readFileSync(join(folder, String(i))).equals(bytes)).toBe(true);
});

it('reports the system’s error for the file that it concerns, and writes the next one', async () => {
  const folder = temporaryFolder();
  const thread = createArrivalThread();
  await expect(thread.open(join(folder, 'missing', 'file'))).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' });
  const file = await thread.open(join(folder, 'file'));
  await expect(thread.open(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await write(thread, file, Buffer.from('content'));
  await file.finish();
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('content');
});

it('rejects files while no thread can start, and writes those after that', async () => {
  const folder = temporaryFolder();
  let fault: Error | undefined = new Error('no threads left');
  const thread = createArrivalThread(() => {
    if (fault) throw fault;
    return startWorker();
  });
  await expect(thread.open(join(folder, 'first'))).rejects.toBe(fault);
  fault = undefined;
  await (await thread.open(join(folder, 'second'))).finish();
});

it('rejects the calls of a thread that has failed, discards its files, and writes later files in another one', async () => {
  const folder = temporaryFolder();
  let worker: Worker | undefined;
  const thread = createArrivalThread(() => {
    worker = startWorker();
    return worker;
  });
  const file = await thread.open(join(folder, 'first'));
  const failing = file.write(thread.takeBuffer(), 10);
  worker?.emit('error', new Error('out of memory'));
  await expect(failing).rejects.toThrow('out of memory');
  await expect(file.finish()).rejects.toThrow('has ended');
  await file.discard();
  await worker?.terminate();
  await (await thread.open(join(folder, 'second'))).finish();
});
