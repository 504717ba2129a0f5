import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { ImageError } from '#server/platform/imaging/errors.ts';
import { DEFAULT_IMAGE_LIMITS } from '#server/platform/imaging/limits.ts';
import { planLength, type StripPlan } from '#server/platform/imaging/metadata/plan.ts';
import { planStrip, writeStripped } from '#server/platform/imaging/plan-strip.ts';
import { decodeForTrial } from '#server/platform/imaging/strip.ts';
import { makeThumbnail } from '#server/platform/imaging/thumbnail.ts';
import type { WebFormat } from '#server/platform/imaging/types.ts';
import { unbounded } from '#test/helpers/pictures/decoding.ts';
import { image, photoJpeg } from '#test/helpers/pictures/images.ts';
import { inspected } from '#test/helpers/pictures/inspected.ts';
import { metadataOf, usingBytes } from '#test/helpers/pictures/metadata.ts';
import { apng, privateAvif, privateGif, privateJpeg, privatePng, privateWebp } from '#test/helpers/pictures/private-metadata.ts';
import { ultraHdr } from '#test/helpers/pictures/ultra-hdr.ts';
import { cpuSince } from '#test/helpers/programs/cpu.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { type Random, random } from '#test/helpers/random.ts';

/** Cuts, overwrites, repeats and swaps a few ranges, mostly near the start, where the structures are. */
function mutate(file: Buffer, next: Random): Buffer {
  let result = Buffer.from(file);
  for (let count = 1 + next(4); count > 0; count--) {
    const at = next(next(2) === 0 ? Math.min(1200, result.length) : result.length);
    const length = 1 + next(8);
    const kind = next(5);
    if (kind === 0) result = result.subarray(0, at);
    else if (kind === 1) result.fill(next(2) * 255, at, Math.min(at + length, result.length));
    else if (kind === 2) for (let i = at; i < Math.min(at + length, result.length); i++) result[i] = next(256);
    else if (kind === 3) result = Buffer.concat([result.subarray(0, at), result.subarray(at + length)]);
    else result = Buffer.concat([result.subarray(0, at), result.subarray(0, next(200)), result.subarray(at)]);
  }
  return result;
}

const ROUNDS = 400;

const SOURCES: [string, WebFormat, () => Promise<Buffer>][] = [
  ['jpeg', 'jpeg', () => privateJpeg({ width: 64, height: 40, orientation: 6 })],
  ['jpeg with a gain map', 'jpeg', () => ultraHdr()],
  ['png', 'png', () => privatePng(6)],
  ['apng', 'png', apng],
  ['gif', 'gif', privateGif],
  ['webp', 'webp', () => privateWebp(6)],
  ['avif', 'avif', () => privateAvif(6)],
];

const plan = (path: string, format: WebFormat) => usingBytes(path, (file) => planStrip(file, format));

it.each(SOURCES)(
  'strips a corrupted %s or reports it as damaged, quickly, and adds no more than an orientation',
  async (_, format, make) => {
    const path = join(temporaryFolder(), 'mutilated');
    const original = await make();
    const next = random(4711);
    let [accepted, slowest] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const file = mutate(original, next);
      await writeFile(path, file);
      const before = process.cpuUsage();
      const planned = await plan(path, format).catch((error: unknown) => error);
      if (planned instanceof Error) expect(planned, `round ${round}`).toBeInstanceOf(ImageError);
      else {
        accepted++;
        const sizes: number[] = [];
        await writeStripped({ path }, planned as StripPlan, { write: async ({ length }) => void sizes.push(length) });
        const written = sizes.reduce((sum, size) => sum + size, 0);
        expect(written).toBe(planLength(planned as StripPlan));
        expect(written).toBeLessThanOrEqual(file.length + 60);
        const signed = await usingBytes(path, (bytes) => planStrip(bytes, format, { artist: 'A', copyright: 'B' }));
        expect(planLength(signed)).toBeLessThanOrEqual(written + 600);
      }
      // Broken metadata don't make a difference to whether a picture is accepted.
      expect(await succeeds(metadataOf(path, format)), `round ${round}`).toBe(!(planned instanceof Error));
      slowest = Math.max(slowest, cpuSince(before));
    }
    expect(slowest).toBeLessThan(2_000);
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThan(ROUNDS);
  },
);

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

/** Whether a sound structure is enough, and if not, a decoder. */
async function isAccepted(path: string, format: WebFormat): Promise<boolean> {
  return succeeds(
    inspected(path, format).then((found) => decodeForTrial({ ...found, stored: found.file }, DEFAULT_IMAGE_LIMITS, unbounded)),
  );
}

it.each([
  ['JPEG', 'jpeg', () => photoJpeg({ width: 96, height: 64 }), (file: Buffer) => file],
  ['progressive JPEG', 'jpeg', () => photoJpeg({ width: 96, height: 64, progressive: true }), (file: Buffer) => file],
  ['PNG', 'png', () => image({ width: 61, height: 40, seed: 1 }).png().toBuffer(), withChecksums],
  ['interlaced PNG', 'png', () => image({ width: 61, height: 40, seed: 2 }).png({ progressive: true }).toBuffer(), withChecksums],
] as const)(
  'accepts a corrupted %s only if a thumbnail can be made',
  async (_name, format, make, repair) => {
    const path = join(temporaryFolder(), 'mutilated');
    const original = await make();
    const next = random(815);
    let [accepted, rejected] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      await writeFile(path, repair(mutate(original, next)));
      if (!(await succeeds(plan(path, format)))) continue;
      if (await isAccepted(path, format)) {
        expect(await succeeds(makeThumbnail(path, { width: 120 }, `${path}.out`, unbounded)), `round ${round}`).toBe(true);
        accepted++;
      } else rejected++;
    }
    expect(accepted).toBeGreaterThan(0);
    expect(rejected).toBeGreaterThan(0);
  },
  120_000,
);

/** A PNG whose checksums match what is in its chunks, as if its writer had been wrong. */
function withChecksums(file: Buffer): Buffer {
  for (let at = 8; at + 12 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) break;
    file.writeUInt32BE(crc32(file.subarray(at + 4, end - 4)), end - 4);
    at = end;
  }
  return file;
}

it('rejects a table of contents with billions of entries immediately', async () => {
  const path = join(temporaryFolder(), 'claims.avif');
  const avif = await privateAvif();
  const iloc = avif.indexOf('iloc');
  // Zero bytes for offsets and lengths: entries take no space in the file.
  avif.writeUInt16BE(0, iloc + 8);
  avif.fill(0xff, iloc + 10, iloc + 40);
  await writeFile(path, avif);
  const before = process.cpuUsage();
  await expect(plan(path, 'avif')).rejects.toThrow(ImageError);
  expect(cpuSince(before)).toBeLessThan(1_000);
});

it('reports garbage as damaged, whatever format it claims to be', async () => {
  const path = join(temporaryFolder(), 'garbage');
  const garbage = await readFile(process.execPath).then((file) => file.subarray(0, 300_000));
  await writeFile(path, garbage);
  for (const format of ['jpeg', 'png', 'gif', 'webp', 'avif'] as const)
    await expect(plan(path, format), format).rejects.toThrow(ImageError);
});
