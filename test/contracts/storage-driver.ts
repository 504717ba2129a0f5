import { hash, randomBytes } from 'node:crypto';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { BlobMissingError, type StorageDriver } from '#server/platform/storage/driver.ts';

/** The contract of every storage driver. `open` returns a new driver and a folder for staged files on the same file system. */
export function storageDriverContract(name: string, open: () => Promise<{ driver: StorageDriver; staging: string }>): void {
  async function stored(driver: StorageDriver, staging: string, bytes = randomBytes(100_000)) {
    const sha256 = hash('sha256', bytes);
    const path = join(staging, sha256);
    await writeFile(path, bytes);
    await driver.store(sha256, { path });
    return { sha256, path, bytes };
  }

  describe(`${name} as a storage driver`, () => {
    it('returns exactly the stored bytes and removes the staged file', async () => {
      const { driver, staging } = await open();
      const { sha256, path, bytes } = await stored(driver, staging);
      const blob = await driver.open(sha256);
      expect(blob.size).toBe(bytes.length);
      expect((await buffer(blob.stream())).equals(bytes)).toBe(true);
      await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it('stores a file that is in memory', async () => {
      const { driver, staging } = await open();
      const bytes = randomBytes(10_000);
      const sha256 = hash('sha256', bytes);
      const path = join(staging, sha256);
      await driver.store(sha256, { path, bytes });
      expect((await buffer((await driver.open(sha256)).stream())).equals(bytes)).toBe(true);
      await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
    });

    it('reads any range of a blob', async () => {
      const { driver, staging } = await open();
      const { sha256, bytes } = await stored(driver, staging);
      for (const [start, end] of [
        [0, 0],
        [10, 99],
        [99_999, 99_999],
        [0, 99_999],
      ] as const) {
        const part = await buffer((await driver.open(sha256)).stream({ start, end }));
        expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
      }
    });

    it('writes a blob to a stream, whole or in part, even if it is larger than any buffer', async () => {
      const { driver, staging } = await open();
      const { sha256, bytes } = await stored(driver, staging, randomBytes(3_000_000));
      for (const [start, end] of [
        [0, bytes.length - 1],
        [1_000_000, 2_000_000],
      ] as const) {
        const target = slowSink();
        await (await driver.open(sha256)).sendTo(target.sink, { start, end });
        await finished(target.sink);
        expect(target.received().equals(bytes.subarray(start, end + 1))).toBe(true);
      }
    });

    it('fails when the receiver has disconnected', async () => {
      const { driver, staging } = await open();
      const { sha256 } = await stored(driver, staging, randomBytes(3_000_000));
      const target = new PassThrough();
      target.destroy();
      await expect((await driver.open(sha256)).sendTo(target)).rejects.toThrow();
    });

    it('provides a blob as a local file', async () => {
      const { driver, staging } = await open();
      const { sha256, bytes } = await stored(driver, staging);
      const read = await driver.withFile(sha256, (path) => readFile(path));
      expect(read.equals(bytes)).toBe(true);
    });

    it('accepts the same blob twice', async () => {
      const { driver, staging } = await open();
      const { sha256, bytes } = await stored(driver, staging);
      await stored(driver, staging, bytes);
      expect((await buffer((await driver.open(sha256)).stream())).equals(bytes)).toBe(true);
    });

    it('reports a missing blob, when opened and as a local file', async () => {
      const { driver } = await open();
      const unknown = 'ab'.repeat(32);
      expect(await driver.has(unknown)).toBe(false);
      await expect(driver.open(unknown)).rejects.toBeInstanceOf(BlobMissingError);
      await expect(driver.withFile(unknown, async () => undefined)).rejects.toBeInstanceOf(BlobMissingError);
    });

    it('removes a blob, and accepts the removal of a missing one', async () => {
      const { driver, staging } = await open();
      const { sha256 } = await stored(driver, staging);
      expect(await driver.has(sha256)).toBe(true);
      await driver.remove(sha256);
      expect(await driver.has(sha256)).toBe(false);
      await driver.remove(sha256);
    });

    it('keeps an open blob readable while it is removed', async () => {
      const { driver, staging } = await open();
      const { sha256, bytes } = await stored(driver, staging);
      const blob = await driver.open(sha256);
      await driver.remove(sha256);
      expect((await buffer(blob.stream())).equals(bytes)).toBe(true);
    });

    it('reports that it is usable', async () => {
      const { driver } = await open();
      await driver.check();
    });
  });
}

/** Consumes bytes as a socket does: it holds on to them until its callback. */
function slowSink() {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      setImmediate(() => {
        chunks.push(Buffer.from(chunk));
        done();
      });
    },
  });
  return { sink, received: () => Buffer.concat(chunks) };
}
