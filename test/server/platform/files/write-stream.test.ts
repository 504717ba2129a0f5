import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { writeStream } from '#server/platform/files/write-stream.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

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
