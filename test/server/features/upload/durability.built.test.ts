import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCleanUp } from '#api/admin/system.ts';
import { batchImages } from '#api/images/changes.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { has } from '#test/helpers/programs/installed.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { setUp, uploadImage } from '#test/helpers/service/service.ts';

const CALLS = 'unlink,unlinkat,write,pwrite64,fdatasync,fsync,rename,renameat,renameat2,writev,sendto,sendmsg';

/** A service, and the system calls that it makes while `work` runs. */
async function start() {
  const dataDir = await realpath(temporaryFolder());
  const service = await startChildService(dataDir);
  onTestFinished(() => void service.kill());
  const owner = await setUp(service);
  const blobOf = (sha256: string) => join(dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  async function traced<T>(work: () => Promise<T>) {
    const trace = join(dataDir, 'trace');
    const strace = spawn('strace', ['-f', '-y', '-s', '200', '-e', `trace=${CALLS}`, '-o', trace, '-p', String(service.pid)]);
    await once(strace.stderr, 'data'); // «attached»
    const result = await work();
    strace.kill('SIGINT');
    await once(strace, 'exit');
    return { result, lines: (await readFile(trace, 'utf8')).split('\n') };
  }
  return { service, owner, blobOf, traced };
}

function expectInOrder(order: Record<string, number>) {
  expect(Object.values(order), JSON.stringify(order)).toEqual(Object.values(order).toSorted((a, b) => a - b));
  expect(Object.values(order)[0]).toBeGreaterThanOrEqual(0);
}

/** The system calls that make an upload durable, in order: the 200 must come last. */
it.runIf(has('strace')).each([
  ['whose metadata is removed', () => photoJpeg({ seed: 11, gps: true })],
  ['that is stored as it comes', () => photoJpeg({ seed: 12 })],
])('an upload %s is flushed, renamed, its folder flushed and its rows committed before the response', async (_what, image) => {
  const { service, owner, blobOf, traced } = await start();
  const token = await owner.token('upload');
  const bytes = await image();
  const { result, lines } = await traced(() => uploadImage(service, token, bytes));
  const blob = blobOf(result.sha256);
  const renamed = lines.findIndex((line) => line.includes('rename') && line.includes(blob));
  const [, staged = ''] = /rename\w*\((?:AT_FDCWD[^,]*, )?"([^"]+)"/.exec(lines[renamed] ?? '') ?? [];
  const flushed = lines.findIndex((line) => line.includes('fdatasync') && line.includes(staged));
  const folder = lines.findIndex((line) => line.includes('fsync') && line.includes(`${dirname(blob)}>`));
  const responded = lines.findIndex((line) => line.includes('HTTP/1.1 200 OK'));
  // Writes after the response belong to something else.
  const committed = lines.slice(0, responded).findLastIndex((line) => /f(data)?sync\(/.test(line) && line.includes('pixdock.db-wal'));
  expect(staged).toMatch(/\/tmp\/[\w-]+\.part$/);
  expectInOrder({ flushed, renamed, folder, committed, responded });
  // Only the staged files that are kept are flushed.
  expect(lines.filter((line) => line.includes('fdatasync') && line.includes('.part')).length).toBe(1);
});

it.runIf(has('strace'))(
  'the folders of a deleted file and of its thumbnails are flushed before the row goes, so that a power cut brings neither back',
  async () => {
    const { service, owner, blobOf, traced } = await start();
    const { key, sha256, links } = await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 13 }));
    expect((await fetch(links.thumbnail_url)).status).toBe(200);
    // The service may delete the file before it is asked to.
    const { lines } = await traced(async () => {
      await owner.client.call(batchImages, { body: { action: 'purge', keys: [key] } });
      await owner.client.call(runCleanUp, { body: { what: 'unused' } });
    });
    const removed = lines.findIndex((line) => line.includes('unlink') && line.includes(blobOf(sha256)));
    const flushed = lines.findIndex((line) => line.includes('fsync') && line.includes(`${dirname(blobOf(sha256))}>`));
    // The last: while the file goes, the request to clean up is noted in the audit log.
    const committed = lines.findLastIndex((line) => line.includes('write') && line.includes('pixdock.db-wal'));
    expectInOrder({ removed, flushed, committed });
    const thumbnails = join('thumbs', sha256.slice(0, 2), sha256.slice(2, 4));
    const removedThumbnail = lines.findIndex((line) => line.includes('unlink') && line.includes('.jpg') && line.includes(thumbnails));
    const flushedThumbnails = lines.findIndex((line) => line.includes('fsync') && line.includes(`${thumbnails}>`));
    expectInOrder({ removedThumbnail, flushedThumbnails, committed });
  },
);
