import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ImageTooLargeError } from '#server/platform/imaging/errors.ts';
import { readHeader } from '#server/platform/imaging/inspect.ts';
import { DEFAULT_IMAGE_LIMITS } from '#server/platform/imaging/limits.ts';
import { animationBytes, decodingBytes, encodingBytes, type Header, requireMemory } from '#server/platform/imaging/memory.ts';
import { png } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const still = { format: 'jpeg', width: 10_000, height: 10_000, channels: 3, depth: 'uchar', isProgressive: false } as const;
const MB = 1_000_000;

// Measured memory beyond the process's baseline, in MB; AVIF counts half.
it.each<[string, Partial<Header>, number]>([
  ['a progressive JPEG 4:2:0', { isProgressive: true, samples: 1.5 }, 300],
  ['a progressive JPEG 4:4:4', { isProgressive: true, samples: 3 }, 589],
  ['a plain PNG', { format: 'png' }, 60],
  ['a wide PNG of 16 bits with alpha', { format: 'png', width: 30_000, height: 3_333, channels: 4, depth: 'ushort' }, 451],
  ['an interlaced PNG', { format: 'png', isProgressive: true }, 334],
  ['an interlaced PNG with alpha', { format: 'png', isProgressive: true, channels: 4 }, 451],
  ['an interlaced PNG of 16 bits', { format: 'png', isProgressive: true, depth: 'ushort' }, 661],
  ['a lossless WebP', { format: 'webp', width: 5_000, height: 5_000 }, 172],
  ['an AVIF', { format: 'heif', width: 5_000, height: 5_000 }, 394 / 2],
  ['an AVIF of 10 bits', { format: 'heif', width: 3_000, height: 3_000, depth: 'ushort' }, 232 / 2],
])('estimates the memory of %s as measured', (_name, header, measured) => {
  const estimated = decodingBytes({ ...still, ...header }) / MB;
  expect(estimated / measured).toBeGreaterThan(0.97);
  expect(estimated / measured).toBeLessThan(1.2);
});

it('leaves room for another picture beside one of ordinary size', () => {
  const photo = { ...still, width: 4032, height: 3024 };
  const half = DEFAULT_IMAGE_LIMITS.memory / 2;
  expect(decodingBytes(photo)).toBeLessThan(half);
  expect(decodingBytes({ ...photo, isProgressive: true })).toBeLessThan(half);
  expect(decodingBytes({ ...photo, format: 'png', channels: 4, isProgressive: true })).toBeLessThan(half);
  expect(decodingBytes({ ...photo, format: 'webp' })).toBeLessThan(half);
});

it('adds nothing for encoding as PNG, and the most for AVIF', () => {
  expect(encodingBytes('png', 100 * MB)).toBe(0);
  for (const to of ['jpg', 'webp', 'gif'] as const) expect(encodingBytes('avif', MB)).toBeGreaterThan(encodingBytes(to, MB));
});

it('rejects a picture that exceeds the memory limit alone', () => {
  const { memory } = DEFAULT_IMAGE_LIMITS;
  expect(() => requireMemory(memory, DEFAULT_IMAGE_LIMITS)).not.toThrow();
  expect(() => requireMemory(memory + 1, DEFAULT_IMAGE_LIMITS)).toThrow(ImageTooLargeError);
});

it.each([
  ['4:4:4', undefined, 3],
  ['4:2:0', undefined, 1.5],
  // Three components that are all halved: libvips calls that 4:2:0, too.
  ['4:2:0', [0x21, 0x21, 0x21], 3],
  ['4:2:0', [0x21, 0x11, 0x11], 2],
])('a progressive JPEG with %s and the factors %j has %d samples per pixel', async (chromaSubsampling, factors, samples) => {
  const path = join(temporaryFolder(), 'a.jpg');
  const bytes = await sharp(await png())
    .jpeg({ progressive: true, chromaSubsampling })
    .toBuffer();
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc2]));
  for (const [i, both] of (factors ?? []).entries()) bytes[frame + 11 + 3 * i] = both;
  await writeFile(path, bytes);
  expect((await readHeader(path, DEFAULT_IMAGE_LIMITS)).samples).toBe(samples);
});

it('counts all frames of an animated WebP, which libvips holds at once, and one of a GIF', () => {
  const header = { format: 'webp', width: 540, height: 540, pages: 474, channels: 3, depth: 'uchar', isProgressive: false } as const;
  expect(animationBytes(header)).toBe(540 * 540 * 474 * 4);
  expect(animationBytes({ ...header, pages: 2 })).toBe(decodingBytes(header));
  expect(animationBytes({ ...header, format: 'gif' })).toBe(decodingBytes({ ...header, format: 'gif' }));
});
