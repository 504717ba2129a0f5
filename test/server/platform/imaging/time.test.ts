import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileContent } from '#server/platform/files/staged-file.ts';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { ImageError } from '#server/platform/imaging/errors.ts';
import { readHeic } from '#server/platform/imaging/heif/heic.ts';
import { readHeifMeta } from '#server/platform/imaging/heif/meta.ts';
import { countHiddenFrames, readForeignMetadata } from '#server/platform/imaging/inspect.ts';
import { readJpegFrame } from '#server/platform/imaging/jpeg/check.ts';
import { DEFAULT_IMAGE_LIMITS } from '#server/platform/imaging/limits.ts';
import { planStrip, writeStripped } from '#server/platform/imaging/plan-strip.ts';
import { hasSoundRows, readPng } from '#server/platform/imaging/png/check.ts';
import { sniffImage } from '#server/platform/imaging/sniff.ts';
import type { WebFormat } from '#server/platform/imaging/types.ts';
import { webpFrameBytes } from '#server/platform/imaging/webp/frames.ts';
import { slowFormats } from '#test/helpers/pictures/slow.ts';
import { type Used, watchTasks } from '#test/helpers/programs/cpu.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

/**
 * Milliseconds of CPU time without a turn for anything else: three times what is allowed, which `npm run test:hard -- time` measures, since
 * threads that share a busy processor take longer for the same work. The faults that this has found took 235 ms and more.
 */
const LONGEST = 150;
/** Milliseconds of CPU time altogether. */
const TOTAL = 3_000;
const ATTEMPTS = 3;

type Reader = (file: ImageBytes, content: FileContent) => Promise<unknown>;

const strip =
  (format: WebFormat): Reader =>
  async (file, content) =>
    writeStripped(content, await planStrip(file, format, 'own'), { write: async () => undefined });

/** What the service itself reads of each format; a decoder reads the header of an SVG. */
const READERS = {
  jpeg: { strip: strip('jpeg'), frame: readJpegFrame },
  png: { strip: strip('png'), chunks: checkPng, frames: (file) => countHiddenFrames(file, 'png') },
  gif: { strip: strip('gif') },
  webp: { strip: strip('webp'), frames: webpFrameBytes },
  avif: { strip: strip('avif'), frames: (file) => countHiddenFrames(file, 'avif') },
  // The same tables of contents may be in an AVIF.
  heic: {
    metadata: (file) => readForeignMetadata(file, 'heic', true),
    facts: async (file) => readHeic(file, await readHeifMeta(file), DEFAULT_IMAGE_LIMITS),
    strip: strip('avif'),
  },
  tiff: { metadata: (file) => readForeignMetadata(file, 'tiff', true) },
} satisfies Record<string, Record<string, Reader>>;

async function checkPng(file: ImageBytes): Promise<void> {
  const facts = await readPng(file);
  if (facts) await hasSoundRows(file, facts);
}

async function used(content: FileContent, read: Reader): Promise<Used> {
  using watch = watchTasks();
  await using file = await ImageBytes.open(content);
  await new Promise(setImmediate);
  watch.take();
  // Most of these pictures are damaged.
  await read(file, content).catch((error: unknown) => expect(error).toBeInstanceOf(ImageError));
  await new Promise(setImmediate);
  return watch.take();
}

/** The best of a few attempts: the first one may include compiling, and any of them collecting garbage. */
async function bestOf(attempt: () => Promise<Used>): Promise<Used> {
  let best = await attempt();
  for (let left = ATTEMPTS - 1; left > 0 && (best.longest > LONGEST || best.total > TOTAL); left--) {
    const { longest, total } = await attempt();
    best = { longest: Math.min(best.longest, longest), total: Math.min(best.total, total) };
  }
  return best;
}

const formats = await slowFormats();

describe.each(Object.entries(READERS))('reading a %s', (format, readers: Record<string, Reader>) => {
  const { parts, wrap } = formats[format as keyof typeof READERS];
  describe.each(Object.entries(parts))('with %s', (_, part) => {
    it.each([
      ['on disk', 5_000_000],
      // Larger files are never held.
      ['in memory', 1_000_000],
    ])('%s takes linear time, in short tasks', async (place, size) => {
      const bytes = wrap(part(size));
      const path = join(temporaryFolder(), 'slow');
      const content = place === 'on disk' ? { path } : { path, bytes };
      if (place === 'on disk') await writeFile(path, bytes);
      await using file = await ImageBytes.open(content);
      expect(await sniffImage(file)).toBe(format);
      for (const [name, read] of Object.entries(readers)) {
        const { longest, total } = await bestOf(() => used(content, read));
        expect(longest, name).toBeLessThan(LONGEST);
        expect(total, name).toBeLessThan(TOTAL);
      }
    });
  });
});
