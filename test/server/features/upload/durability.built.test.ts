import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { has } from '#test/helpers/programs/installed.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { setUp, uploadImage } from '#test/helpers/service/service.ts';

const CALLS = 'write,pwrite64,fdatasync,fsync,rename,renameat,renameat2,writev,sendto,sendmsg';

/** The system calls that make an upload durable, in order: the 200 must come last. */
it.runIf(has('strace')).each([
  ['whose metadata is removed', () => photoJpeg({ seed: 11, gps: true })],
  ['that is stored as it comes', () => photoJpeg({ seed: 12 })],
])('an upload %s is flushed, renamed, its folder flushed and its rows committed before the response', async (_what, image) => {
  const dataDir = await realpath(temporaryFolder());
  const service = await startChildService(dataDir);
  onTestFinished(() => void service.kill());
  const token = await (await setUp(service)).token('upload');
  const bytes = await image();
  const trace = join(dataDir, 'trace');
  const strace = spawn('strace', ['-f', '-y', '-s', '200', '-e', `trace=${CALLS}`, '-o', trace, '-p', String(service.pid)]);
  await once(strace.stderr, 'data'); // «attached»
  const { sha256 } = await uploadImage(service, token, bytes);
  strace.kill('SIGINT');
  await once(strace, 'exit');

  const lines = (await readFile(trace, 'utf8')).split('\n');
  const blob = join(dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4));
  const renamed = lines.findIndex((line) => line.includes('rename') && line.includes(join(blob, sha256)));
  const [, staged = ''] = /rename\w*\((?:AT_FDCWD[^,]*, )?"([^"]+)"/.exec(lines[renamed] ?? '') ?? [];
  const flushed = lines.findIndex((line) => line.includes('fdatasync') && line.includes(staged));
  const folder = lines.findIndex((line) => line.includes('fsync') && line.includes(`${blob}>`));
  const responded = lines.findIndex((line) => line.includes('HTTP/1.1 200 OK'));
  // Writes after the response belong to something else.
  const committed = lines.slice(0, responded).findLastIndex((line) => /f(data)?sync\(/.test(line) && line.includes('pixdock.db-wal'));
  expect(staged).toMatch(/\/tmp\/[\w-]+\.part$/);
  const order = { flushed, renamed, folder, committed, responded };
  expect(Object.values(order), JSON.stringify(order)).toEqual(Object.values(order).toSorted((a, b) => a - b));
  expect(flushed).toBeGreaterThanOrEqual(0);
  // Only the staged files that are kept are flushed.
  expect(lines.filter((line) => line.includes('fdatasync') && line.includes('.part')).length).toBe(1);
});
